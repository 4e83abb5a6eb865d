/** Starts the `sh` watchdog of a run: see `helper/watchdog-program.ts`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watchdogProgram } from './helper/watchdog-program.ts'
import { signalGroup } from './reach.ts'
import { SuperviseError } from './supervise-error.ts'

/** A running watchdog. */
export interface Watchdog {
  /** Tells it which process group to guard, from now on. */
  guard(group: number): void
  /** Resolves when it keeps no deadline any more: the deadline was told, or one of its processes was killed. */
  readonly deadlineLost: Promise<void>
  /** Ends it and resolves when it is gone; the group is then unguarded. */
  dismiss(): Promise<void>
}

/** What a watchdog is told at its start. */
export interface WatchdogOrders {
  /** Sweep for this cookie too when the runner dies; null for no sweep. */
  readonly cookie: string | null
  readonly deadlineMs: number | undefined
  readonly graceMs: number
  /** Called when the deadline has passed and before the program is asked to end. */
  readonly onDeadline: () => void
}

/** Starts a watchdog; it guards nothing until told. Rejects with `SuperviseError` `stage: 'spawn'` when there is no `/bin/sh`. */
export async function startWatchdog({ cookie, deadlineMs, graceMs, onDeadline }: WatchdogOrders): Promise<Watchdog> {
  const seconds = deadlineMs === undefined ? 0 : deadlineMs / 1_000
  const tenths = Math.ceil(graceMs / 100)
  const args = ['-c', watchdogProgram, 'loader-smoke-watchdog', cookie ?? '', `${seconds}`, `${tenths}`]
  const child = spawn('/bin/sh', args, {
    cwd: '/',
    // It needs `sleep` (and `grep` or `ps`), which a PATH made for one task may not reach.
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/bin:/bin`, LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  })
  await started(child)
  const exited = once(child, 'exit')
  child.stdin.on('error', () => {
    // The watchdog was killed: the runner is alive and ends the group itself.
  })
  child.stdout.on('data', onDeadline)
  // Held open by those of its processes alone that wait for the deadline.
  const deadlineLost = new Promise<void>((resolve) => child.stdout.once('close', () => resolve()))
  return {
    deadlineLost,
    guard: (group) => void child.stdin.write(`${group}\n`),
    async dismiss() {
      signalGroup(child.pid as number, 'SIGKILL')
      await Promise.all([exited, deadlineLost])
    },
  }
}

async function started(child: ChildProcess): Promise<void> {
  try {
    await once(child, 'spawn')
  } catch (cause) {
    throw new SuperviseError('spawn', `/bin/sh, which guards the run, was not started: ${(cause as Error).message}`, {
      cause,
    })
  }
}
