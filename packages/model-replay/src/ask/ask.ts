/** A request for a model's answer, free of the API it came in. */

/** The APIs that are spoken: Chat Completions, OpenAI Responses, Anthropic Messages. */
export type Dialect = 'chat' | 'responses' | 'messages'

/** What a client asks: the conversation so far and what it offers. Built by `fromChat`, `fromResponses`, `fromMessages`. */
export interface Ask {
  readonly dialect: Dialect
  readonly model: string
  readonly stream: boolean
  /** Chat: whether a usage chunk was asked for. Always true in the other dialects. */
  readonly includeUsage: boolean
  /** The client's own name for the conversation, where it sends one. */
  readonly thread: string | undefined
  readonly subagent: boolean
  readonly agent: string | undefined
  readonly purpose: 'turn' | 'compaction'
  /** System and developer text, joined by newlines. */
  readonly system: string
  readonly items: readonly Item[]
  readonly tools: readonly OfferedTool[]
}

export type Item =
  /** `note`: put in by the client program, not by its user. */
  | { readonly type: 'user'; readonly text: string; readonly note: boolean }
  | { readonly type: 'assistant'; readonly text: string }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: string }
  | { readonly type: 'result'; readonly callId: string; readonly text: string }

export interface OfferedTool {
  readonly name: string
  readonly namespace: string | undefined
}

/** A request that no model server would take: it becomes an answer with `status`. */
export class AskError extends Error {
  override readonly name = 'AskError'
  readonly status: number
  constructor(message: string, status = 400) {
    super(message)
    this.status = status
  }
}

/** Text of the first message that the user, not the client program, wrote; empty when there is none. */
export function firstUser(ask: Ask): string {
  const found = ask.items.find((item) => item.type === 'user' && !item.note)
  return found?.type === 'user' ? found.text : ''
}

/** Text of the last message that the user, not the client program, wrote; empty when there is none. */
export function lastUser(ask: Ask): string {
  const found = ask.items.findLast((item) => item.type === 'user' && !item.note)
  return found?.type === 'user' ? found.text : ''
}

/** Tool results that came with this request: those after the model's last word. */
export function newResults(ask: Ask): readonly Extract<Item, { type: 'result' }>[] {
  const from = ask.items.findLastIndex(({ type }) => type === 'assistant' || type === 'call') + 1
  return ask.items.slice(from).filter((item) => item.type === 'result')
}

/** What the request ends with, notes of the client program skipped. */
export function lastKind(ask: Ask): 'user' | 'tool' | 'assistant' | 'nothing' {
  const item = ask.items.findLast((one) => !(one.type === 'user' && one.note))
  if (item === undefined) return 'nothing'
  return item.type === 'result' ? 'tool' : item.type === 'user' ? 'user' : 'assistant'
}

/** Name of the tool that the result with `callId` belongs to. */
export function toolOf(ask: Ask, callId: string): string {
  const call = ask.items.findLast((item) => item.type === 'call' && item.id === callId)
  return call?.type === 'call' ? call.name : callId
}

/**
 * Refuses a conversation that the real services refuse: a tool result without its call, or a call that was never answered.
 * @throws AskError with status 400
 */
export function checkPairing(items: readonly Item[]): void {
  const open = new Set<string>()
  for (const item of items) {
    if (item.type === 'call') open.add(item.id)
    else if (item.type === 'result' && !open.delete(item.callId))
      throw new AskError(`the result of tool call ${JSON.stringify(item.callId)} has no such call before it.`)
    else if (item.type === 'user' && !item.note && open.size > 0) break
  }
  const [unanswered] = open
  if (unanswered !== undefined) throw new AskError(`tool call ${JSON.stringify(unanswered)} has no result.`)
}
