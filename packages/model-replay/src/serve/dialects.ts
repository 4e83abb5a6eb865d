/** The APIs: how each reads a request and writes an answer. */
import type { Answer, Frame } from '../answer/answer.ts'
import { toChatBody, toChatFrames } from '../answer/to-chat.ts'
import { toMessagesBody, toMessagesFrames } from '../answer/to-messages.ts'
import { toResponsesBody, toResponsesFrames } from '../answer/to-responses.ts'
import type { Ask, Dialect } from '../ask/ask.ts'
import type { Caller } from '../ask/caller.ts'
import { fromChat } from '../ask/from-chat.ts'
import { fromMessages } from '../ask/from-messages.ts'
import { fromResponses, type Recall } from '../ask/from-responses.ts'
import type { Json } from '../ask/read.ts'

interface DialectIo {
  /** @throws AskError */
  readonly read: (body: Json, caller: Caller, recall: Recall) => Ask
  readonly toBody: (answer: Answer) => string
  readonly toFrames: (answer: Answer, ask: Ask) => readonly Frame[]
}

export const dialects: Readonly<Record<Dialect, DialectIo>> = {
  chat: { read: fromChat, toBody: toChatBody, toFrames: (answer, ask) => toChatFrames(answer, ask.includeUsage) },
  responses: { read: fromResponses, toBody: toResponsesBody, toFrames: toResponsesFrames },
  messages: { read: fromMessages, toBody: toMessagesBody, toFrames: toMessagesFrames },
}
