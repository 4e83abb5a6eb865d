/** What callers give to `supervise` and what they get back. */
import type { Readable, Writable } from 'node:stream'

/**
 * How far the end of the whole process tree can be promised; see the package's `notes/` for what each level misses.
 * `subreaper` Linux, every descendant · `group+sweep` Linux, the process group and whoever carries the cookie ·
 * `group` POSIX, the process group · `tree` Windows, whoever `taskkill /T` finds.
 */
export type ContainmentLevel = 'subreaper' | 'group+sweep' | 'group' | 'tree'

/** One program to run. Times are in milliseconds. */
export interface SuperviseSpec {
  /** `argv[0]` is the absolute path of the program. */
  readonly argv: readonly string[]
  readonly cwd: string
  /** The complete environment; nothing is inherited. `LOADER_SMOKE_RUN` is added to it. */
  readonly env: Readonly<Record<string, string>>
  /** `file` mode only: the whole of standard input. Absent: end of file at once. */
  readonly stdin?: string | Uint8Array
  /** `file`: the streams go to files in `captureDir`. `pipe`: fd 0 to 2 are streams of this process. */
  readonly stdio: 'file' | 'pipe'
  /** Counted from the start of the program. Absent: none. */
  readonly deadlineMs?: number
  /** Time between TERM and KILL; `0` is KILL at once. */
  readonly graceMs: number
  /** Per stream, `file` mode: the run is stopped when a stream has more bytes than this. */
  readonly maxOutputBytes?: number
  /** Forces a level (for tests); absent: the best that this machine offers. */
  readonly containment?: ContainmentLevel
  /** `file` mode: an existing private folder of the caller's, who removes it; `stdout` and `stderr` are made in it. */
  readonly captureDir?: string
  /** Value of `LOADER_SMOKE_RUN`; unique for each run. Generated when absent. */
  readonly cookie?: string
}

/** A process that was alive after the program's own exit. */
export interface Survivor {
  readonly pid: number
  /** The command line as the system told it; empty when it could not be read any more. */
  readonly command: string
}

/** How the run ended. Every field is a fact of its own: a program may time out *and* exit 0. */
export interface Ending {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly timedOut: boolean
  /** The first stream that exceeded `maxOutputBytes`. */
  readonly overflowed: 'stdout' | 'stderr' | null
  /** `stop()` was called before the program ended by itself. */
  readonly stopped: boolean
  /** This process got that signal (or lost its IPC channel) while the program ran. */
  readonly interrupted: NodeJS.Signals | 'disconnect' | null
  /** From the start of the program to its own exit. */
  readonly durationMs: number
  /** Alive after the program's own exit; named, then killed. */
  readonly survivors: readonly Survivor[]
  readonly containment: ContainmentLevel
}

/** A program that was started. */
export interface Supervised {
  /** Of the program itself, which leads its own session and process group (POSIX). */
  readonly pid: number
  readonly containment: ContainmentLevel
  /** `pipe` mode; else null. */
  readonly stdin: Writable | null
  readonly stdout: Readable | null
  readonly stderr: Readable | null
  /** `file` mode; else null. */
  readonly stdoutFile: string | null
  readonly stderrFile: string | null
  /** Resolves when no process of the tree is left; rejects with `SuperviseError` when that can't be reached, or when the streams could not be captured. */
  readonly ended: Promise<Ending>
  /** TERM and CONT, `graceMs`, KILL. Resolves like `ended`. Safe to call at any time and more than once. */
  stop(): Promise<Ending>
}
