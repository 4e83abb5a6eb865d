/** A script made complete: defaults filled in, shorthands resolved, every test compiled. */
import type { ExpectObject, FaultKind, ScriptObject, ToolCallObject, TurnObject } from './schema.ts'

/** A whole script. */
export interface Script {
  /** Path of the file, or "script" for one given in code. */
  readonly source: string
  readonly models: readonly string[]
  /** Lower case. */
  readonly threadHeader: string | undefined
  readonly conversations: readonly Conversation[]
  readonly faults: FaultMix | undefined
}

export interface FaultMix {
  readonly seed: number | undefined
  readonly rate: number
  readonly kinds: readonly (FaultKind | number)[]
}

export interface Conversation {
  readonly name: string
  readonly match: ExpectObject
  readonly scope: 'one' | 'each' | 'all'
  readonly order: 'strict' | 'any'
  readonly turns: readonly Turn[]
}

/** What the model says once. */
export interface Turn {
  readonly name: string
  readonly expect: ExpectObject
  readonly blocks: readonly Block[]
  readonly usage: Usage
  readonly finish: Finish
  readonly error: NonNullable<TurnObject['error']> | undefined
  readonly fault: Fault | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly delayMs: number
  readonly chunkDelayMs: number
  /** Infinity: any number, also none. */
  readonly times: number
  readonly optional: boolean
}

export type Finish = NonNullable<TurnObject['finish']>

/** Token counts; cached tokens are part of the input, reasoning tokens part of the output. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedInputTokens: number
  readonly reasoningTokens: number
}

export interface Fault {
  readonly kind: FaultKind
  readonly afterBytes: number | undefined
  readonly chunkBytes: number
  readonly everyMs: number
  readonly forMs: number
}

export type Block =
  | { readonly type: 'text' | 'reasoning' | 'refusal'; readonly deltas: readonly string[] }
  | { readonly type: 'toolCall'; readonly anyOf: readonly ToolCallObject[] }
  | { readonly type: 'responsesItem'; readonly item: unknown }
  | { readonly type: 'hold'; readonly gate: string }

/** Makes a checked script complete. Pure; never changes `script`. */
export function resolveScript(script: ScriptObject, source: string): Script {
  const conversations = script.conversations ?? [
    { turns: script.turns ?? [], for: script.for ?? 'one', order: script.order ?? 'strict' },
  ]
  return {
    source,
    models: script.models ?? [],
    threadHeader: script.threadHeader?.toLowerCase(),
    conversations: conversations.map((one, index) => ({
      name: ('name' in one ? one.name : undefined) ?? `conversation ${index + 1}`,
      match: ('match' in one ? one.match : undefined) ?? {},
      scope: one.for ?? 'one',
      order: one.order ?? 'strict',
      turns: one.turns.map(resolveTurn),
    })),
    faults: script.faults && {
      seed: script.faults.seed,
      rate: script.faults.rate,
      kinds: script.faults.kinds ?? DEFAULT_MIX,
    },
  }
}

const DEFAULT_MIX: FaultMix['kinds'] = ['reset', 'cut', 'reset-mid-stream', 'malformed-json', 429, 500, 503]

function resolveTurn(turn: TurnObject, index: number): Turn {
  const blocks = turn.content === undefined ? shorthandBlocks(turn) : turn.content.map(resolveBlock)
  const fault = typeof turn.fault === 'string' ? { kind: turn.fault } : turn.fault
  return {
    name: turn.name ?? `turn ${index + 1}`,
    expect: turn.expect ?? {},
    blocks,
    usage: {
      inputTokens: turn.usage?.inputTokens ?? 0,
      outputTokens: turn.usage?.outputTokens ?? 0,
      cachedInputTokens: turn.usage?.cachedInputTokens ?? 0,
      reasoningTokens: turn.usage?.reasoningTokens ?? 0,
    },
    finish: turn.finish ?? defaultFinish(blocks),
    error: turn.error,
    fault: fault && resolveFault(fault),
    headers: turn.headers ?? {},
    delayMs: turn.delayMs ?? 0,
    chunkDelayMs: turn.chunkDelayMs ?? 0,
    times: turn.times === 'any' ? Infinity : (turn.times ?? 1),
    optional: turn.optional ?? turn.times === 'any',
  }
}

/** A fault with its defaults. */
export function resolveFault(fault: Partial<Fault> & Pick<Fault, 'kind'>): Fault {
  return {
    kind: fault.kind,
    afterBytes: fault.afterBytes,
    chunkBytes: fault.chunkBytes ?? 16,
    everyMs: fault.everyMs ?? 5,
    forMs: fault.forMs ?? 300,
  }
}

function shorthandBlocks({ reasoning, text, refusal, toolCalls }: TurnObject): Block[] {
  return [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning', deltas: deltasOf(reasoning) } as const]),
    ...(text === undefined ? [] : [{ type: 'text', deltas: deltasOf(text) } as const]),
    ...(refusal === undefined ? [] : [{ type: 'refusal', deltas: deltasOf(refusal) } as const]),
    ...(toolCalls ?? []).map(callBlock),
  ]
}

function resolveBlock(block: NonNullable<TurnObject['content']>[number]): Block {
  if (block.text !== undefined) return { type: 'text', deltas: deltasOf(block.text) }
  if (block.reasoning !== undefined) return { type: 'reasoning', deltas: deltasOf(block.reasoning) }
  if (block.refusal !== undefined) return { type: 'refusal', deltas: deltasOf(block.refusal) }
  if (block.toolCall !== undefined) return callBlock(block.toolCall)
  if (block.hold !== undefined) return { type: 'hold', gate: block.hold }
  return { type: 'responsesItem', item: block.responsesItem }
}

function callBlock(call: NonNullable<TurnObject['toolCalls']>[number]): Block {
  return { type: 'toolCall', anyOf: 'anyOf' in call ? call.anyOf : [call] }
}

function deltasOf(text: string | readonly string[]): readonly string[] {
  return typeof text === 'string' ? [text] : text
}

function defaultFinish(blocks: readonly Block[]): Finish {
  if (blocks.some(({ type }) => type === 'toolCall')) return 'tool_calls'
  return blocks.some(({ type }) => type === 'refusal') ? 'refusal' : 'stop'
}
