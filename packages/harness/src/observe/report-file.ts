/**
 * Reads what the fixture's turns said about themselves, and what a service within the fixture saw.
 *
 * The file was written by the fixture, so nothing in it is trusted: its size, its kind and every line are checked, and what is taken over
 * is copied field by field. What is wrong with it becomes a sentence in `problems`, never an exception.
 */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FixtureTurnResult, TokenUsage, ToolCall, TurnStep } from '@loader-smoke/turn'
import { nameOf, type ServiceFact } from '../launch/start-services.ts'

/** One turn, as far as it went. Times are milliseconds since the epoch, by the fixture's word; null when it gave none. */
export type TurnFact = EndedTurn | FailedTurn | UnfinishedTurn

interface EndedTurn {
  readonly state: 'ended'
  readonly turn: number
  readonly envelope: FixtureTurnResult
  readonly tools: readonly ToolCall[]
  readonly steps: readonly TurnStep[]
  readonly startedAtMs: number | null
  readonly endedAtMs: number | null
}

interface FailedTurn {
  readonly state: 'failed'
  readonly turn: number
  readonly kind: string
  readonly reason: string
  readonly message: string
  readonly startedAtMs: number | null
  readonly endedAtMs: number | null
}

/** Begun, and the process was gone before it ended. */
interface UnfinishedTurn {
  readonly state: 'unfinished'
  readonly turn: number
  readonly startedAtMs: number | null
}

/** Everything the file says. */
export interface TurnReport {
  /** In the order in which they began. */
  readonly turns: readonly TurnFact[]
  readonly bootWarnings: readonly string[]
  /** What services in the bin's own process said: the model server that a plugin started. */
  readonly services: readonly ServiceFact[]
  /** What is wrong with the file, a sentence each without a full stop; at most `MAX_PROBLEMS`. */
  readonly problems: readonly string[]
}

/** More than this is not read: 16 MiB. */
export const MAX_REPORT_BYTES = 16 * 1024 * 1024
const MAX_PROBLEMS = 5
const EMPTY: TurnReport = { turns: [], bootWarnings: [], services: [], problems: [] }

/** Reads the report. The harness made the file before the start: when it is gone, what it said of failed turns is gone with it. */
export async function readReport(file: string, maxBytes = MAX_REPORT_BYTES): Promise<TurnReport> {
  try {
    // Neither follows a link nor waits for the writer of a FIFO; both flags are absent, and 0, on Windows.
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
    await using handle = await open(file, flags)
    const stat = await handle.stat()
    if (!stat.isFile()) return { ...EMPTY, problems: ['it is not a regular file'] }
    const buffer = Buffer.alloc(Math.min(stat.size, maxBytes))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0)
    const report = parseReport(buffer.toString('utf8', 0, bytesRead))
    if (stat.size <= maxBytes) return report
    return { ...report, problems: [`it holds ${stat.size} bytes (allowed ${maxBytes})`] }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return { ...EMPTY, problems: [code === 'ENOENT' ? 'it was removed' : `it can't be read (${message})`] }
  }
}

/** Parses the lines of a report. Pure. */
export function parseReport(text: string): TurnReport {
  const turns: TurnFact[] = []
  const bootWarnings: string[] = []
  const services: ServiceFact[] = []
  const problems: string[] = []
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return
    const entry = parseLine(line)
    if (typeof entry === 'string') {
      if (problems.length < MAX_PROBLEMS) problems.push(`line ${index + 1} ${entry}`)
    } else if ('warning' in entry) bootWarnings.push(entry.warning)
    else if ('failures' in entry) services.push(entry)
    else place(turns, entry)
  })
  return { turns, bootWarnings, services, problems }
}

/** A turn's end takes the place of its open beginning; numbers may repeat when a fixture has several processes. */
function place(turns: TurnFact[], fact: TurnFact): void {
  const open =
    fact.state === 'unfinished' ? -1 : turns.findIndex((t) => t.state === 'unfinished' && t.turn === fact.turn)
  if (open === -1) turns.push(fact)
  else turns[open] = { ...fact, startedAtMs: turns[open]?.startedAtMs ?? null }
}

type Fields = Readonly<Record<string, unknown>>

/** What a line says, or what is wrong with it. */
function parseLine(line: string): TurnFact | ServiceFact | { readonly warning: string } | string {
  let fields: unknown
  try {
    fields = JSON.parse(line)
  } catch {
    // Cut off, not JSON, or nested deeper than the parser goes: all the same to the reader of the message.
    return 'is not JSON'
  }
  if (!isFields(fields)) return 'is not an object'
  if (fields['v'] !== 1) return `has version ${JSON.stringify(fields['v'])} (known: 1)`
  const { type, turn, message } = fields
  if (type === 'boot-warning') return typeof message === 'string' ? { warning: message } : 'has no message'
  if (type === 'service') return parseService(fields)
  if (type !== 'turn-start' && type !== 'turn-end' && type !== 'turn-failed') return 'has an unknown type'
  if (!Number.isSafeInteger(turn) || (turn as number) < 1) return 'has no turn number'
  const number = turn as number
  const atMs = toTime(fields['atMs'])
  if (type === 'turn-start') return { state: 'unfinished', turn: number, startedAtMs: atMs }
  if (type === 'turn-failed') return parseFailure(number, atMs, fields)
  const envelope = toEnvelope(fields['envelope'])
  const tools = toTools(fields['tools'])
  const steps = toSteps(fields['steps'])
  if (envelope === null || tools === null || steps === null) return 'has a broken envelope'
  return { state: 'ended', turn: number, envelope, tools, steps, startedAtMs: null, endedAtMs: atMs }
}

function parseFailure(turn: number, endedAtMs: number | null, { kind, reason, message }: Fields): TurnFact | string {
  if (typeof reason !== 'string' || typeof kind !== 'string') return 'has no reason'
  const told = typeof message === 'string' ? message : reason
  return { state: 'failed', turn, kind, reason, message: told, startedAtMs: null, endedAtMs }
}

function parseService({ name, failures, facts }: Fields): ServiceFact | string {
  if (typeof name !== 'string') return 'has no name of a service'
  if (!Array.isArray(failures) || !failures.every((failure) => typeof failure === 'string')) return 'has no failures'
  return { name: nameOf({ name }), failures, ...(facts !== undefined && { facts }) }
}

function toTime(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}

function toEnvelope(value: unknown): FixtureTurnResult | null {
  if (!isFields(value)) return null
  const { type, sessionId, output, usage } = value
  if (type !== 'result' || typeof sessionId !== 'string' || typeof output !== 'string') return null
  if (usage === undefined) return { type, sessionId, output }
  const counts = toUsage(usage)
  return counts === null ? null : { type, sessionId, output, usage: counts }
}

const REQUIRED_COUNTS = ['inputTokens', 'outputTokens'] as const
const OPTIONAL_COUNTS = ['cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens'] as const

function toUsage(value: unknown): TokenUsage | null {
  if (!isFields(value)) return null
  const counts: Partial<Record<keyof TokenUsage, number>> = {}
  for (const name of [...REQUIRED_COUNTS, ...OPTIONAL_COUNTS]) {
    const count = value[name]
    if (count === undefined && (OPTIONAL_COUNTS as readonly string[]).includes(name)) continue
    if (typeof count !== 'number' || !Number.isFinite(count) || count < 0) return null
    counts[name] = count
  }
  return counts as TokenUsage
}

function toTools(value: unknown): ToolCall[] | null {
  if (!Array.isArray(value)) return null
  const tools: ToolCall[] = []
  for (const entry of value as unknown[]) {
    if (!isFields(entry) || typeof entry['name'] !== 'string') return null
    const atMs = toTime(entry['atMs'])
    tools.push({
      name: entry['name'],
      callId: typeof entry['callId'] === 'string' ? entry['callId'] : '',
      ...(atMs !== null && { atMs }),
    })
  }
  return tools
}

/** A report without steps is one of a turn package that knew none yet. */
function toSteps(value: unknown = []): TurnStep[] | null {
  if (!Array.isArray(value)) return null
  const steps: TurnStep[] = []
  for (const entry of value as unknown[]) {
    if (!isFields(entry) || !Number.isSafeInteger(entry['step'])) return null
    const usage = entry['usage'] === undefined ? undefined : toUsage(entry['usage'])
    if (usage === null) return null
    const [startedAtMs, endedAtMs] = [toTime(entry['startedAtMs']), toTime(entry['endedAtMs'])]
    steps.push({
      step: entry['step'] as number,
      ...(startedAtMs !== null && { startedAtMs }),
      ...(endedAtMs !== null && { endedAtMs }),
      ...(usage !== undefined && { usage }),
    })
  }
  return steps
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
