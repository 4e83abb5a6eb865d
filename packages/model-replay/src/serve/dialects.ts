/** The APIs: how each reads a request and writes an answer. */
import type { Answer, Frame } from '../answer/answer.ts'
import { toChatBody, toChatFrames } from '../answer/to-chat.ts'
import type { Ask, Dialect } from '../ask/ask.ts'
import type { Caller } from '../ask/caller.ts'
import { fromChat } from '../ask/from-chat.ts'
import type { Json } from '../ask/read.ts'

interface DialectIo {
  /** @throws AskError */
  readonly read: (body: Json, caller: Caller) => Ask
  readonly toBody: (answer: Answer) => string
  readonly toFrames: (answer: Answer, ask: Ask) => readonly Frame[]
}

export const dialects: Readonly<Record<Dialect, DialectIo>> = {
  chat: {
    read: fromChat,
    toBody: toChatBody,
    toFrames: (answer, { includeUsage }) => toChatFrames(answer, includeUsage),
  },
}
