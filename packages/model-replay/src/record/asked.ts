/** What a request asks, in the form in which a recording keeps it: no secrets, nothing that differs from run to run. */
import { createHash } from 'node:crypto'
import type { Ask, Item } from '../ask/ask.ts'

/** A text; one entry per line when it has several, so that a diff shows the line. */
export type Text = string | readonly string[]

/** One item of the conversation, as the file has it. */
export type AskedItem =
  | { readonly user: Text }
  | { readonly note: Text }
  | { readonly assistant: Text }
  | { readonly call: string; readonly id: string; readonly input: Text }
  | { readonly result: string; readonly text: Text }

/** Two requests with an equal `Asked` get the same answer. */
export interface Asked {
  readonly method: string
  /** Without its query. */
  readonly path: string
  readonly model: string
  readonly stream: boolean
  /** Begin of the SHA-256 of the system text; empty without one. */
  readonly system: string
  readonly tools: readonly string[]
  readonly items: readonly AskedItem[]
  /** The whole body, of a request that is no question to a model. */
  readonly body: string
}

/** The question `ask`, which came to `path`. `plain` takes out secrets and what differs from run to run. */
export function fromAsk(ask: Ask, path: string, plain: (text: string) => string): Asked {
  return {
    method: 'POST',
    path,
    model: ask.model,
    stream: ask.stream,
    system:
      ask.system === '' ? '' : `sha256 ${createHash('sha256').update(plain(ask.system)).digest('hex').slice(0, 16)}`,
    tools: ask.tools.map(({ name, namespace }) => (namespace === undefined ? name : `${namespace}.${name}`)),
    items: ask.items.map((item) => toAskedItem(item, plain)),
    body: '',
  }
}

/** A request that is no question to a model, such as the list of models. */
export function fromOther(method: string, path: string, body: string, plain: (text: string) => string): Asked {
  return { method, path, model: '', stream: false, system: '', tools: [], items: [], body: plain(body) }
}

/** Equal exactly for equal questions. */
export function keyOf({ method, path, model, stream, system, tools, items, body }: Asked): string {
  return JSON.stringify([method, path, model, stream, system, tools, items, body])
}

function toAskedItem(item: Item, plain: (text: string) => string): AskedItem {
  const text = (raw: string): Text => {
    const lines = plain(raw).split('\n')
    return lines.length === 1 ? (lines[0] ?? '') : lines
  }
  switch (item.type) {
    case 'user':
      return item.note ? { note: text(item.text) } : { user: text(item.text) }
    case 'assistant':
      return { assistant: text(item.text) }
    case 'call':
      return { call: item.name, id: plain(item.id), input: text(item.input) }
    case 'result':
      return { result: plain(item.callId), text: text(item.text) }
  }
}
