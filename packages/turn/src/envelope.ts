/** Folds the events of one turn into what the turn returns. Pure: takes events, touches nothing. */
import type { SessionEvent } from './context.ts'
import { TurnError, turnEndFailure } from './turn-error.ts'

/** Tokens as the provider reported them. The three optional counts are there when any step had them. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
  readonly reasoningTokens?: number
}

/** What a turn returns: the envelope. */
export interface FixtureTurnResult {
  readonly type: 'result'
  readonly sessionId: string
  /** The text of the last answer that had any; '' when none had. */
  readonly output: string
  /** The sum over all steps; absent when no step reported tokens. */
  readonly usage?: TokenUsage
}

/** A tool that the agent called, in order. */
export interface ToolCall {
  readonly name: string
  readonly callId: string
  /** Milliseconds since the epoch; absent when the event had no time. */
  readonly atMs?: number
}

/** One step of a turn: one request to the model and its answer. */
export interface TurnStep {
  /** As the session's events number it, from 1 in each of its turns. */
  readonly step: number
  /** Of the step's first and last event, in milliseconds since the epoch; absent when they had no time. */
  readonly startedAtMs?: number
  readonly endedAtMs?: number
  readonly usage?: TokenUsage
}

/** What the events of a turn add up to. */
export interface TurnFacts {
  readonly output: string
  readonly usage: TokenUsage | undefined
  readonly tools: readonly ToolCall[]
  /** In the order in which they began. */
  readonly steps: readonly TurnStep[]
  /** The first reason for which this turn counts as failed. */
  readonly failure: TurnError | undefined
}

/** Takes the session's events one by one, from the one that put the task into the inbox to the agent's idleness. */
export class TurnFold {
  private output = ''
  private readonly tools: ToolCall[] = []
  /** By turn and step, from their first to their last answer. */
  private readonly times = new Map<string, Pick<TurnStep, 'step' | 'startedAtMs' | 'endedAtMs'>>()
  /** By turn and step. A message's own usage wins over one that was streamed beside it. */
  private readonly messageUsage = new Map<string, TokenUsage>()
  private readonly streamedUsage = new Map<string, TokenUsage>()
  private failure: TurnError | undefined
  private openTurns = 0
  private turns = 0
  private canceled = false

  add({ type, data, time }: SessionEvent): void {
    const step = `${data?.turn}/${data?.step}`
    if (type.startsWith('assistant/')) this.keepTime(step, data?.step, time)
    switch (type) {
      case 'turn/start':
        this.openTurns += 1
        this.turns += 1
        return
      case 'turn/end':
        this.openTurns -= 1
        this.failure ??= turnEndFailure(data?.reason)
        return
      case 'assistant/chunk':
        keepUsage(this.streamedUsage, step, [data?.chunk])
        return
      case 'assistant/attempt':
        keepUsage(this.streamedUsage, step, streamedChunks(data?.stream))
        return
      case 'assistant/message':
        this.output = textOf(data?.message?.content) ?? this.output
        keepUsage(this.streamedUsage, step, streamedChunks(data?.stream))
        if (data?.usage !== undefined) this.messageUsage.set(step, data.usage)
        return
      case 'tool/call':
        if (typeof data?.name !== 'string') return
        this.tools.push({ name: data.name, callId: String(data.callId), ...(time !== undefined && { atMs: time }) })
        return
      case 'agent/inbox/spliced':
        this.canceled ||= data?.outcome === 'canceled' && data.inserted?.length === 0
        return
      default:
        // Every other event says nothing about the answer, its cost or its end.
        return
    }
  }

  /** What the events so far add up to; called once the agent is idle, when every turn must have its end. */
  facts(): TurnFacts {
    return {
      output: this.output,
      usage: sum(this.usages().values()),
      tools: this.tools,
      steps: this.steps(),
      failure: this.failure ?? this.unended(),
    }
  }

  private usages(): ReadonlyMap<string, TokenUsage> {
    return new Map([...this.streamedUsage, ...this.messageUsage])
  }

  private steps(): TurnStep[] {
    const usages = this.usages()
    return [...this.times].map(([key, times]) => {
      const usage = usages.get(key)
      return usage === undefined ? times : { ...times, usage }
    })
  }

  private keepTime(key: string, step: unknown, time: number | undefined): void {
    if (typeof step !== 'number') return
    const known = this.times.get(key) ?? { step, ...(time !== undefined && { startedAtMs: time }) }
    this.times.set(key, { ...known, ...(time !== undefined && { endedAtMs: time }) })
  }

  private unended(): TurnError | undefined {
    if (this.openTurns > 0) return new TurnError('unfinished', 'the agent went idle inside a turn: turn/end is missing')
    if (this.canceled && this.turns === 0)
      return new TurnError('canceled', 'the task was taken out of the inbox before a turn began')
    return undefined
  }
}

function textOf(content: any): string | undefined {
  if (!Array.isArray(content)) return undefined
  const texts = content.filter((block) => block?.type === 'text')
  return texts.length === 0 ? undefined : texts.map((block) => block.text).join('')
}

/** The chunks that a stored attempt holds one by one; runs of text are packed otherwise and never hold usage. */
function streamedChunks(stream: any): any[] {
  return Array.isArray(stream) ? stream.filter((entry) => entry?.type === 'chunk').map((entry) => entry.chunk) : []
}

function keepUsage(into: Map<string, TokenUsage>, step: string, chunks: readonly any[]): void {
  const last = chunks.findLast((chunk) => chunk?.type === 'usage')
  if (last?.usage !== undefined) into.set(step, last.usage)
}

function sum(steps: Iterable<TokenUsage>): TokenUsage | undefined {
  const total: Record<string, number> = {}
  for (const step of steps) {
    for (const field of ['inputTokens', 'outputTokens'] as const)
      total[field] = (total[field] ?? 0) + (step[field] ?? 0)
    for (const field of ['cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens'] as const)
      if (step[field] !== undefined) total[field] = (total[field] ?? 0) + step[field]
  }
  return total['inputTokens'] === undefined ? undefined : (total as unknown as TokenUsage)
}
