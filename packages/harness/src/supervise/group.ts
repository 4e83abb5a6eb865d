/** Levels `group` and `group+sweep`: the program leads a process group, which is ended as a whole. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Contained, ContainedLaunch, TreeEnding } from './contained.ts'
import { listProcesses } from './processes.ts'
import { SuperviseError } from './supervise-error.ts'
import type { Survivor } from './types.ts'

/** Processes that end by themselves this soon after the program are no survivors. */
const SETTLE_MS = 200
/** KILL has this long to help before we give up. */
const KILL_MS = 5_000
const POLL_MS = 5

/** Starts the program in a group of its own. */
export async function containInGroup(launch: ContainedLaunch): Promise<Contained> {
  const child = await start(launch)
  const pid = child.pid as number
  const startedAt = performance.now()
  let exited = false
  let stopping = false
  let killed = false
  let timedOut = false
  let killTimer: NodeJS.Timeout | undefined

  const stop = () => {
    if (stopping) return
    stopping = true
    if (launch.graceMs === 0) return kill()
    signalGroup(pid, 'SIGTERM')
    signalGroup(pid, 'SIGCONT')
    killTimer = setTimeout(kill, launch.graceMs)
  }
  const kill = () => {
    stopping = true
    killed = true
    signalGroup(pid, 'SIGKILL')
  }
  const deadline =
    launch.deadlineMs === undefined
      ? undefined
      : setTimeout(() => {
          // The exit may be waiting in the event loop already when this loop was blocked past the deadline.
          setImmediate(() => {
            if (exited) return
            timedOut = true
            stop()
          })
        }, launch.deadlineMs)

  const ended = new Promise<Pick<TreeEnding, 'exitCode' | 'signal'>>((resolve) => {
    child.once('exit', (exitCode, signal) => {
      exited = true
      resolve({ exitCode, signal })
    })
  }).then(async (exit): Promise<TreeEnding> => {
    clearTimeout(deadline)
    const durationMs = performance.now() - startedAt
    const goneAlready = stopping
      ? await until(() => killed || !groupAlive(pid), launch.graceMs)
      : await until(() => !groupAlive(pid), SETTLE_MS)
    const survivors = goneAlready && !groupAlive(pid) ? [] : nameGroup(pid)
    clearTimeout(killTimer)
    signalGroup(pid, 'SIGKILL')
    if (!(await until(() => !groupAlive(pid), KILL_MS))) {
      throw new SuperviseError('survivors', `process group ${pid} is alive ${KILL_MS} ms after KILL`, {
        survivors: nameGroup(pid),
      })
    }
    return { ...exit, timedOut, durationMs, survivors }
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
    kill,
  }
}

async function start({ argv, cwd, env, stdio }: ContainedLaunch): Promise<ChildProcess> {
  const [program = '', ...args] = argv
  const child = spawn(program, args, { cwd, env, stdio: [...stdio], detached: true })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (cause) =>
      reject(new SuperviseError('spawn', `${program} was not started: ${cause.message}`, { cause })),
    )
  })
  return child
}

function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    if ((error as NodeJS.ErrnoException).code === 'EPERM') return true
    throw error
  }
}

function groupAlive(pid: number): boolean {
  return signalGroup(pid, 0)
}

function nameGroup(pid: number): Survivor[] {
  return listProcesses()
    .filter((entry) => entry.group === pid && entry.pid !== pid)
    .map(({ pid: member, command }) => ({ pid: member, command }))
}

/** Polls until `done` or `limitMs` are over; tells which. */
async function until(done: () => boolean, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs
  while (!done()) {
    if (performance.now() > end) return false
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return true
}
