/** What each containment level offers to `supervise`, whatever the system needs for it. */
import type { Readable, Writable } from 'node:stream'
import type { Survivor } from './types.ts'

/** A program to start in its own session. */
export interface ContainedLaunch {
  readonly argv: readonly string[]
  readonly cwd: string
  /** Complete, with the cookie in it. */
  readonly env: Readonly<Record<string, string>>
  readonly cookie: string
  /** fd 0 to 2 of the program: open files of ours (the caller closes them), `ignore` for none, or pipes to us. */
  readonly stdio: readonly ['pipe', 'pipe', 'pipe'] | readonly [number | 'ignore', number, number]
  readonly deadlineMs: number | undefined
  readonly graceMs: number
}

/** The end of the program and of its tree. */
export interface TreeEnding {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly timedOut: boolean
  /** The program had been asked to end (or killed) by us before it exited. */
  readonly stopped: boolean
  readonly durationMs: number
  readonly survivors: readonly Survivor[]
}

/** A started program. */
export interface Contained {
  readonly pid: number
  readonly stdin: Writable | null
  readonly stdout: Readable | null
  readonly stderr: Readable | null
  /** The program itself has exited; its tree may still be being ended. */
  readonly exited: boolean
  /** Resolves when no process of the tree is left; rejects with `SuperviseError` `stage: 'survivors'`. */
  readonly ended: Promise<TreeEnding>
  /** Asks the tree to end: TERM and CONT, `graceMs`, KILL. Returns at once. */
  stop(): void
  /** Ends the tree without asking. Returns at once. */
  kill(): void
  /** Like `kill`, and returns when the tree is gone, at the latest after 5 s: for a process that is exiting and has no event loop any more. */
  endNow(): void
}

/** Starts a program at one containment level. Rejects with `SuperviseError` `stage: 'spawn'`. */
export type Contain = (launch: ContainedLaunch) => Promise<Contained>
