/** One run as it is stored and reported: plain JSON, secrets masked, streams bounded. Pure. */
import type { TokenUsage } from '@loader-smoke/turn'
import type { ExampleMode } from '../config/mode.ts'
import type { SmokeSpec } from '../config/resolve.ts'
import type { Facts } from '../observe/facts.ts'
import type { TurnFact } from '../observe/report-file.ts'
import type { ContainmentLevel, Survivor } from '../supervise/types.ts'
import type { Verdict } from '../verdict/verdict.ts'
import { hintsFor } from './hints.ts'
import { findLocation, type Location } from './location.ts'
import { redactor } from './redact.ts'
import { rerunLine } from './rerun.ts'
import { toModelRequests, type ModelRequest } from './model-requests.ts'
import { trimStream } from './trim.ts'

/** A stream as it was captured, cut to what a report holds. */
export interface StreamRecord {
  readonly text: string
  /** Of the whole stream. */
  readonly bytes: number
  /** `text` is head and tail. */
  readonly truncated: boolean
}

/** A turn, with times relative to the start of the bin. */
export interface TurnRecord {
  readonly state: TurnFact['state']
  readonly turn: number
  readonly startedMs: number | null
  readonly endedMs: number | null
  /** The last answer; null when the turn did not end well. */
  readonly output: string | null
  /** Why it did not end well. */
  readonly reason: string | null
  readonly usage: TokenUsage | null
  readonly tools: readonly { readonly name: string; readonly atMs: number | null }[]
  readonly steps: readonly StepRecord[]
}

/** One request to the model, as the turn saw it. */
export interface StepRecord {
  readonly step: number
  readonly startedMs: number | null
  readonly endedMs: number | null
  readonly usage: TokenUsage | null
}

/** Why a smoke did not pass: the check that failed, or the stage in which an error came. */
export interface Reason {
  readonly check: string
  /** A whole sentence with the label in front. */
  readonly line: string
}

/** Everything a report tells of one run. Times are milliseconds; those that end in `Ms` alone are relative to the start of the bin. */
export interface SmokeRecord {
  readonly label: string
  readonly mode: ExampleMode
  readonly verdict: Verdict['kind']
  /** Empty when it passed; the first is the most telling. */
  readonly reasons: readonly Reason[]
  /** What to do next, a sentence each. */
  readonly next: readonly string[]
  /** The shell command that runs it again. */
  readonly rerun: string | null
  /** The file and line that the failure points to. */
  readonly location: Location | null
  /** The folder of the run, when it was kept. */
  readonly keptWorld: string | null
  /** Since the epoch; null when nothing was started. */
  readonly startedAtMs: number | null
  readonly durationMs: number | null
  readonly deadlineMs: number
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  readonly overflowed: 'stdout' | 'stderr' | null
  readonly containment: ContainmentLevel | null
  readonly command: readonly string[]
  /** Names of the bin's environment; a value is never stored. */
  readonly envNames: readonly string[]
  readonly turns: readonly TurnRecord[]
  readonly requests: readonly ModelRequest[]
  readonly bootWarnings: readonly string[]
  readonly survivors: readonly Survivor[]
  readonly stdout: StreamRecord
  readonly stderr: StreamRecord
}

/** What is known beside the verdict. */
export interface RecordCircumstances {
  readonly keptWorld: string | null
  /** Files below this folder are the caller's own: a failure points to the first of them that it names. */
  readonly root: string
}

/** How much of each stream a record holds, in bytes of UTF-8. */
export const MAX_RECORDED_BYTES = 256 * 1024

const NO_STREAM: StreamRecord = { text: '', bytes: 0, truncated: false }

/** The record of a run that was judged. */
export function toRecord(spec: SmokeSpec, verdict: Verdict, { keptWorld, root }: RecordCircumstances): SmokeRecord {
  const { facts } = verdict
  const start = facts?.startedAtMs ?? 0
  const reasons = toReasons(spec.label, verdict)
  const redact = redactor([spec.env.inherited, spec.env.overrides], spec.redact)
  const stream = (capture: Facts['stdout'] | undefined): StreamRecord => {
    if (capture === undefined) return NO_STREAM
    // Masked before it is cut: a secret across the cut would be recognized by nobody.
    const text = trimStream(redact(capture.text), capture.bytes, MAX_RECORDED_BYTES)
    return { text, bytes: capture.bytes, truncated: capture.truncated || text.length < capture.text.length }
  }
  const record: SmokeRecord = {
    label: spec.label,
    mode: spec.mode,
    verdict: verdict.kind,
    reasons,
    next: facts === null || verdict.kind === 'pass' ? [] : hintsFor(spec, facts),
    rerun: verdict.kind === 'pass' ? null : rerunLine(spec, facts?.command ?? null),
    location:
      verdict.kind === 'pass'
        ? null
        : findLocation([...reasons.map(({ line }) => line), facts?.stderr.text ?? '', facts?.stdout.text ?? ''], root),
    keptWorld,
    startedAtMs: facts?.startedAtMs ?? null,
    durationMs: facts === null ? null : Math.round(facts.durationMs),
    deadlineMs: spec.deadlineMs,
    exitCode: facts?.exitCode ?? null,
    signal: facts?.signal ?? null,
    timedOut: facts?.timedOut ?? false,
    overflowed: facts?.overflowed ?? null,
    containment: facts?.containment ?? null,
    command: facts?.command ?? [],
    envNames: facts?.envNames ?? [],
    turns: (facts?.turns ?? []).map((turn) => toTurn(turn, start)),
    requests: (facts?.services ?? []).flatMap((service) => toModelRequests(service.facts, start)),
    bootWarnings: facts?.bootWarnings ?? [],
    survivors: facts?.survivors ?? [],
    stdout: stream(facts?.stdout),
    stderr: stream(facts?.stderr),
  }
  return mapTexts(record, redact) as SmokeRecord
}

function toReasons(label: string, verdict: Verdict): Reason[] {
  if (verdict.kind === 'pass') return []
  if (verdict.kind === 'error') return [{ check: verdict.stage, line: verdict.message }]
  return verdict.failed.map(({ name, line }) => ({ check: name, line: `${label} ${line}` }))
}

function toTurn(fact: TurnFact, start: number): TurnRecord {
  const since = (atMs: number | null | undefined) => (atMs === null || atMs === undefined ? null : atMs - start)
  const ended = fact.state === 'ended' ? fact : null
  return {
    state: fact.state,
    turn: fact.turn,
    startedMs: since(fact.startedAtMs),
    endedMs: fact.state === 'unfinished' ? null : since(fact.endedAtMs),
    output: ended?.envelope.output ?? null,
    reason: fact.state === 'failed' ? fact.reason : null,
    usage: ended?.envelope.usage ?? null,
    tools: (ended?.tools ?? []).map(({ name, atMs }) => ({ name, atMs: since(atMs) })),
    steps: (ended?.steps ?? []).map(({ step, startedAtMs, endedAtMs, usage }) => ({
      step,
      startedMs: since(startedAtMs),
      endedMs: since(endedAtMs),
      usage: usage ?? null,
    })),
  }
}

/** `value` with every text in it mapped; its keys are ours and stay. */
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapTexts(entry, map)]))
}
