/** Levels `group` and `group+sweep`: the program leads a process group, which is ended as a whole; a watchdog ends it when we die. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Contain, ContainedLaunch, TreeEnding } from './contained.ts'
import { startTicksOf } from './processes.ts'
import { endReachable, endRound, isReachable, nameReachable, type Reach, signalGroup } from './reach.ts'
import { SuperviseError } from './supervise-error.ts'
import { KILL_MS, LATE_MS, SETTLE_MS, setLateTimeout, until, untilSync } from './timing.ts'
import { startWatchdog } from './watchdog.ts'

/** Makes the level; with `sweep`, whoever left the group is looked for in `/proc` by session, cookie and descent. */
export function groupWith({ sweep }: { readonly sweep: boolean }): Contain {
  return async (launch) => {
    let timedOut = false
    let exited = false
    const watchdog = await startWatchdog({
      cookie: sweep ? launch.cookie : null,
      deadlineMs: launch.deadlineMs,
      graceMs: launch.graceMs,
      onDeadline: () => {
        timedOut ||= !stop.asked
        stop.begun()
      },
    })
    const child = await start(launch).catch(async (error: unknown) => {
      await watchdog.dismiss()
      throw error
    })
    const startedAt = performance.now()
    const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
    const reach: Reach = {
      group: child.pid as number,
      cookie: launch.cookie,
      sweep,
      sinceTicks: startTicksOf(child.pid as number),
    }
    watchdog.guard(reach.group)

    const stop = new Stop(reach.group, launch.graceMs)
    const { deadlineMs } = launch
    let late: NodeJS.Timeout | undefined
    const endAfter = (ms: number) => {
      clearTimeout(late)
      late = setLateTimeout(() => {
        if (exited) return
        timedOut ||= !stop.asked
        stop.politely()
      }, ms)
    }
    if (deadlineMs !== undefined) {
      endAfter(deadlineMs + LATE_MS)
      void watchdog.deadlineLost.then(() => exited || endAfter(startedAt + deadlineMs - performance.now()))
    }

    const ended = exit
      .then(async ([exitCode, signal]): Promise<TreeEnding> => {
        exited = true
        clearTimeout(late)
        const stopped = stop.asked
        const durationMs = performance.now() - startedAt
        const survivors = (await endsAlone(reach, stop)) ? [] : nameReachable(reach)
        await endReachable(reach)
        return { exitCode, signal, timedOut, stopped, durationMs, survivors }
      })
      .finally(async () => {
        stop.over()
        await watchdog.dismiss()
      })
    return {
      pid: reach.group,
      stdin: child.stdin,
      stdout: child.stdout,
      stderr: child.stderr,
      get exited() {
        return exited
      },
      ended,
      stop: () => stop.politely(),
      kill: () => stop.now(),
      endNow: () => void untilSync(() => endRound(reach), KILL_MS),
    }
  }
}

/** The way from the polite request to KILL. */
class Stop {
  asked = false
  killAt: number | undefined
  readonly #group: number
  readonly #graceMs: number
  #timer: NodeJS.Timeout | undefined

  constructor(group: number, graceMs: number) {
    this.#group = group
    this.#graceMs = graceMs
  }

  politely(): void {
    if (this.#graceMs === 0) return this.now()
    if (this.asked) return
    signalGroup(this.#group, 'SIGTERM')
    signalGroup(this.#group, 'SIGCONT')
    this.begun()
  }

  /** The watchdog asked the group to end; KILL is then ours too, should the watchdog be killed meanwhile. */
  begun(): void {
    if (this.asked) return
    this.asked = true
    this.killAt = performance.now() + this.#graceMs
    this.#timer = setTimeout(() => this.now(), this.#graceMs)
  }

  now(): void {
    this.asked = true
    this.killAt = performance.now()
    signalGroup(this.#group, 'SIGKILL')
  }

  over(): void {
    clearTimeout(this.#timer)
  }
}

/** Gives the rest of the tree its time after the program's own exit: what is left of the grace to a group that was asked to end, else the settling time. */
async function endsAlone(reach: Reach, stop: Stop): Promise<boolean> {
  let gone = false
  const isGone = () => (gone = !isReachable(reach))
  if (!stop.asked) await until(() => stop.asked || isGone(), SETTLE_MS)
  else await until(() => !signalGroup(reach.group, 0), (stop.killAt ?? 0) - performance.now())
  return gone || isGone()
}

async function start({ argv, cwd, env, stdio }: ContainedLaunch): Promise<ChildProcess> {
  const [program = '', ...args] = argv
  try {
    const child = spawn(program, args, { cwd, env, stdio: [...stdio], detached: true })
    await once(child, 'spawn')
    return child
  } catch (cause) {
    throw new SuperviseError('spawn', `${program} was not started: ${(cause as Error).message}`, { cause })
  }
}
