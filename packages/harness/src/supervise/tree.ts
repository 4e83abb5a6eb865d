/** Level `tree` (Windows): the program and whoever `taskkill /T` finds below it. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { win32 } from 'node:path'
import type { Contained, ContainedLaunch, TreeEnding } from './contained.ts'
import { SuperviseError } from './supervise-error.ts'

/** The arguments of `taskkill` that end the tree below `pid`; without `force` windows are asked to close, which console programs don't hear. */
export function taskkillArgs(pid: number, force: boolean): string[] {
  return [...(force ? ['/F'] : []), '/T', '/PID', `${pid}`]
}

/** The absolute path of `taskkill`, so that no program of that name on PATH or in the working folder is run. */
export function taskkillPath(env: NodeJS.ProcessEnv): string {
  return win32.join(env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe')
}

/** Starts the program. Its tree is ended while the program is alive: what outlives it can't be found on Windows and is not named. */
export async function containInTree(launch: ContainedLaunch): Promise<Contained> {
  const { argv, cwd, env, stdio, deadlineMs, graceMs } = launch
  const [program = '', ...args] = argv
  const child = spawn(program, args, { cwd, env, stdio: [...stdio], windowsHide: true })
  await once(child, 'spawn').catch((cause: Error) => {
    throw new SuperviseError('spawn', `${program} was not started: ${cause.message}`, { cause })
  })
  const pid = child.pid as number
  const startedAt = performance.now()
  let exited = false
  let stopped = false
  let timedOut = false
  let grace: NodeJS.Timeout | undefined

  const taskkill = (force: boolean) => {
    stopped = true
    spawnSync(taskkillPath(process.env), taskkillArgs(pid, force), { stdio: 'ignore', windowsHide: true })
  }
  const stop = () => {
    if (exited || stopped) return
    taskkill(graceMs === 0)
    grace = setTimeout(() => taskkill(true), graceMs)
  }
  const deadline =
    deadlineMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true
          stop()
        }, deadlineMs)
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const ended = exit.then(([exitCode, signal]): TreeEnding => {
    exited = true
    clearTimeout(deadline)
    clearTimeout(grace)
    return { exitCode, signal, timedOut, stopped, durationMs: performance.now() - startedAt, survivors: [] }
  })
  return {
    pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    get exited() {
      return exited
    },
    ended,
    stop,
    kill: () => taskkill(true),
    endNow: () => taskkill(true),
  }
}
