/** From a verdict to what the caller gets: a result, or the error to reject with. Pure. */
import type { FixtureTurnResult } from '@loader-smoke/turn'
import type { ExampleMode } from '../config/mode.ts'
import type { SmokeSpec } from '../config/resolve.ts'
import type { Facts } from '../observe/facts.ts'
import type { ContainmentLevel, Survivor } from '../supervise/types.ts'
import type { Verdict } from '../verdict/verdict.ts'
import { redactor } from './redact.ts'
import { rerunLine } from './rerun.ts'
import { SmokeError } from './smoke-error.ts'
import { toText } from './text.ts'

/** What a smoke that passed gives. */
export interface LoaderSmokeResult {
  /**
   * Decoded UTF-8, no newline stripped. Above 16 MiB head and tail, with a line between them that says so; `truncated` says it too. A stream
   * of which `expect` asks something is whole up to 256 MiB, and the smoke fails above that.
   */
  readonly stdout: string
  /** Like `stdout`. */
  readonly stderr: string
  /** How many bytes the bin wrote to a stream of which the text above holds head and tail only; null when it holds the whole. */
  readonly truncated: { readonly stdout: number | null; readonly stderr: number | null }
  /** Null when the run ended by a signal. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly durationMs: number
  readonly mode: ExampleMode
  /** Program and arguments. */
  readonly command: readonly string[]
  /** The envelope of each turn that ended well, in order. */
  readonly turns: readonly FixtureTurnResult[]
  /** Processes that outlived the bin; they are gone now. */
  readonly survivors: readonly Survivor[]
  readonly containment: ContainmentLevel
  /** The folder of the run when `keepWorld` kept it, else null. */
  readonly keptWorld: string | null
  /** The whole streams, while the folder is kept. */
  readonly stdoutFile: string | null
  readonly stderrFile: string | null
  readonly verdict: Extract<Verdict, { kind: 'pass' }>
}

/** What a run left, beside its verdict. */
export interface Remains {
  /** `argv` of the bin, once known. */
  readonly argv: readonly string[] | null
  /** Its complete environment, once known: secrets in it are masked. */
  readonly env: Readonly<Record<string, string>>
  readonly kept: { readonly folder: string; readonly stdoutFile: string; readonly stderrFile: string } | null
  readonly cleanUp: Error | null
  /** What the caller's `inspect` threw. */
  readonly inspectCause: unknown
}

/** Before there was anything to leave. */
export const NOTHING: Remains = { argv: null, env: {}, kept: null, cleanUp: null, inspectCause: undefined }

/** The result of a pass. */
export function toResult(
  spec: SmokeSpec,
  verdict: Extract<Verdict, { kind: 'pass' }>,
  remains: Remains,
): LoaderSmokeResult {
  const { facts } = verdict
  return {
    stdout: facts.stdout.text,
    stderr: facts.stderr.text,
    truncated: { stdout: wholeBytes(facts.stdout), stderr: wholeBytes(facts.stderr) },
    exitCode: facts.exitCode,
    signal: facts.signal,
    durationMs: facts.durationMs,
    mode: spec.mode,
    command: facts.command,
    turns: facts.turns.flatMap((turn) => (turn.state === 'ended' ? turn.envelope : [])),
    survivors: facts.survivors,
    containment: facts.containment,
    keptWorld: remains.kept?.folder ?? null,
    stdoutFile: remains.kept?.stdoutFile ?? null,
    stderrFile: remains.kept?.stderrFile ?? null,
    verdict,
  }
}

function wholeBytes({ truncated, bytes }: Facts['stdout']): number | null {
  return truncated ? bytes : null
}

/** The error of anything else. */
export function toSmokeError(
  spec: SmokeSpec,
  verdict: Exclude<Verdict, { kind: 'pass' }>,
  remains: Remains,
): SmokeError {
  const { cleanUp } = remains
  const beside = cleanUp !== null && !(verdict.kind === 'error' && verdict.stage === 'cleanup') ? cleanUp : null
  const message = toText(spec, verdict, {
    redact: redactor([spec.env.inherited as Record<string, string>, spec.env.overrides, remains.env], spec.redact),
    keptWorld: remains.kept?.folder ?? null,
    cleanUp: beside?.message ?? null,
    rerun: rerunLine(spec, remains.argv),
  })
  const cause = verdict.kind === 'error' ? verdict.cause : remains.inspectCause
  const both =
    beside !== null && cause !== undefined ? new AggregateError([cause, beside]) : (cause ?? beside ?? undefined)
  return new SmokeError(message, verdict, both, remains.kept?.folder ?? null)
}
