/** Things beside the bin: what a caller starts for a run, and the command by which the run can be repeated. */

/** What a service learns of the run it serves. */
export interface SmokeWorld {
  /** The absolute working folder of the bin; it exists. */
  readonly cwd: string
  /** Environment name → absolute folder of each home; they exist. */
  readonly homes: Readonly<Record<string, string>>
  readonly mode: 'src' | 'lib'
}

/** What a service says about the run, once the bin has ended. */
export interface ServiceReport {
  /** One sentence for each thing that went against its script; each fails the smoke. */
  readonly failures: readonly string[]
  /** Anything worth keeping in the verdict; JSON. */
  readonly facts?: unknown
}

/** A started service. */
export interface RunningService {
  /** Set in the bin's environment, below the caller's `env`. */
  readonly env?: Readonly<Record<string, string>>
  /** Called once, after the bin has ended, whatever came of it. Resolves when the service is gone, within 10 s. */
  stop(): Promise<void> | void
  /** Called after the bin has ended and before `stop`; resolves within 10 s. */
  report?(): Promise<ServiceReport> | ServiceReport
}

/** Something that is started before the bin, outside its process, and stopped after it. */
export interface SmokeService {
  /** For messages; default `service`. */
  readonly name?: string
  start(world: SmokeWorld): Promise<RunningService> | RunningService
}

/** A command, unquoted: `argv[0]` is the program, `env` is set for it. */
export interface RerunCommand {
  readonly argv: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}
