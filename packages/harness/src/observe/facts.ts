/** Everything that is known of a run once it is over. Plain values: a verdict can be rebuilt from stored facts. */
import type { SmokeSpec } from '../config/resolve.ts'
import type { ServiceFact } from '../launch/start-services.ts'
import type { World } from '../launch/world.ts'
import type { Ending } from '../supervise/types.ts'
import { type Capture, MAX_TEXT_BYTES, readCapture } from './capture.ts'
import { type Clues, findClues } from './clues.ts'
import { readReport, type TurnReport } from './report-file.ts'
import { type FileFact, readWorldFiles } from './world-files.ts'

/** How the caller's `inspect` went. */
export interface Inspection {
  /** The message of its rejection; null when it found nothing wrong. */
  readonly failure: string | null
}

/** Facts of a run. They are independent of each other: a bin may time out and exit 0. */
export interface Facts extends Ending, TurnReport {
  /** `argv` of the bin. */
  readonly command: readonly string[]
  /** Names of its environment, sorted; their values are not kept. */
  readonly envNames: readonly string[]
  /** When the bin was started, in milliseconds since the epoch. */
  readonly startedAtMs: number
  readonly stdout: Capture
  readonly stderr: Capture
  readonly files: readonly FileFact[]
  /** Those beside the bin, then those within it. */
  readonly services: readonly ServiceFact[]
  readonly clues: Clues
  /** Null when `inspect` was not called. */
  readonly inspection: Inspection | null
}

/** What is read after the end. */
export interface Ended {
  readonly ending: Ending
  readonly startedAtMs: number
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly stdoutFile: string
  readonly stderrFile: string
  readonly services: readonly ServiceFact[]
}

/** Reads everything that the run left. Call it once no process of the run is left and before the world is removed. */
export async function observe(spec: SmokeSpec, world: World, ended: Ended): Promise<Facts> {
  const [stdout, stderr, report, files] = await Promise.all([
    readCapture(ended.stdoutFile, textBytes(spec.expect.stdout)),
    readCapture(ended.stderrFile, textBytes(spec.expect.stderr)),
    readReport(world.reportFile),
    readWorldFiles(spec.expect.files, world.cwd),
  ])
  return {
    ...ended.ending,
    ...report,
    command: ended.command,
    envNames: Object.keys(ended.env).toSorted(),
    startedAtMs: ended.startedAtMs,
    stdout,
    stderr,
    files,
    services: [...ended.services, ...report.services],
    clues: findClues(spec, world.cwd, searchable(stderr), searchable(stdout), report.bootWarnings),
    inspection: null,
  }
}

/**
 * A stream that an expectation searches is read whole up to here: a pattern may match, or must not match, in what is left out of a cut one.
 * 256 MiB, about half of what a string of V8 can hold.
 */
const MAX_SEARCHED_BYTES = 256 * 1024 * 1024

function textBytes(expected: readonly unknown[]): number {
  return expected.length === 0 ? MAX_TEXT_BYTES : MAX_SEARCHED_BYTES
}

/** A flood of output is not searched for a message: that would double the memory it takes, in every run that passes. */
function searchable({ text, bytes }: Capture): string {
  return bytes > MAX_TEXT_BYTES ? '' : text
}
