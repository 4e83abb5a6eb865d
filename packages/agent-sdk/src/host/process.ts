/** A running program with pipes, as the host hands it out. */
import type { Readable, Writable } from 'node:stream'

/** How a program ended; independent facts. */
export interface ProcessExit {
  readonly code: number | null
  readonly signal: string | null
}

/** A program that the host runs. Whoever started it calls `stop`; the host does so when it ends itself. */
export interface HostProcess {
  /** `null` when the host does not tell. */
  readonly pid: number | null
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves when the program has ended, also when it was stopped. Never rejects. */
  readonly exited: Promise<ProcessExit>
  /** Ends the program and everything below it; resolves when nothing of it is left. Safe to call twice. */
  stop(): Promise<ProcessExit>
}
