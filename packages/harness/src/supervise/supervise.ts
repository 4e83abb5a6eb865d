/** Starts a program in a containment, with its streams on files or pipes, and tells how it ended. */
import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { openCaptureFiles } from './capture-files.ts'
import type { Contained } from './contained.ts'
import { containAt, probeContainment } from './containment.ts'
import { interruption, trackRun } from './interrupt.ts'
import { COOKIE_NAME } from './reach.ts'
import { SuperviseError } from './supervise-error.ts'
import type { Ending, Supervised, SuperviseSpec } from './types.ts'

/** How often the size of the captured streams is looked at. */
const OUTPUT_POLL_MS = 50

/**
 * Starts `spec.argv` and resolves once it runs.
 * @throws SuperviseError `stage: 'spawn'` when it can't be started; nothing is left then.
 */
export async function supervise(spec: SuperviseSpec): Promise<Supervised> {
  const containment = spec.containment ?? probeContainment()
  const contain = containAt(containment)
  const cookie = spec.cookie ?? randomUUID()
  refuse(spec)
  const files = spec.stdio === 'file' ? openCaptureFiles(spec) : null
  const starting = contain({
    argv: spec.argv,
    cwd: spec.cwd,
    env: { ...spec.env, [COOKIE_NAME]: cookie },
    cookie,
    stdio: files?.fds ?? ['pipe', 'pipe', 'pipe'],
    deadlineMs: spec.deadlineMs,
    graceMs: spec.graceMs,
  })
  let overflowed: Ending['overflowed'] = null
  let asked = false
  let interrupted: Ending['interrupted'] = null
  let contained: Contained | null = null
  // From the first: an interruption may come while the program is being started.
  trackRun({
    ended: starting.then((started) => started.ended),
    interrupt(why) {
      interrupted = why
      starting.then(
        (started) => started.stop(),
        () => {},
      ) // not started: nothing to stop, and the caller is told
    },
    kill() {
      starting.then(
        (started) => started.kill(),
        () => {},
      ) // likewise
    },
    endNow: () => contained?.endNow(),
  })
  try {
    contained = await starting
  } catch (error) {
    files?.close()
    throw error
  }
  const { pid, stdin, stdout, stderr } = contained
  const running = contained

  const poll =
    files === null || spec.maxOutputBytes === undefined
      ? undefined
      : setInterval(() => {
          overflowed = files.above(spec.maxOutputBytes as number)
          if (overflowed === null) return
          clearInterval(poll)
          running.stop()
        }, OUTPUT_POLL_MS)

  const ended = running.ended
    .then((ending): Ending => {
      files?.checkDisk()
      if (spec.maxOutputBytes !== undefined) overflowed ??= files?.above(spec.maxOutputBytes) ?? null
      // Asked too late is not asked: the program had ended by itself.
      const { stopped } = ending
      return {
        ...ending,
        overflowed,
        stopped: stopped && asked,
        interrupted: stopped ? interrupted : null,
        containment,
      }
    })
    .finally(() => {
      clearInterval(poll)
      files?.close()
    })
  // Whoever awaits `ended` gets the rejection; a caller that only stops must not crash the process.
  ended.catch(() => {})

  return {
    pid,
    containment,
    stdin,
    stdout,
    stderr,
    stdoutFile: files?.stdout ?? null,
    stderrFile: files?.stderr ?? null,
    ended,
    stop() {
      if (!running.exited) asked = true
      running.stop()
      return ended
    },
  }
}

/** Says clearly what the system would say in a misleading way, or not at all. */
function refuse({ argv, cwd, env }: SuperviseSpec): void {
  const why = interruption()
  if (why !== null) throw new SuperviseError('spawn', `nothing is started: this process was interrupted by ${why}`)
  if (!isAbsolute(argv[0] ?? ''))
    throw new SuperviseError('spawn', `argv[0] must be an absolute path, got '${argv[0]}'`)
  if ([cwd, ...argv].some((text) => text.includes('\0'))) {
    throw new SuperviseError('spawn', 'a NUL in an argument or in the working folder can not be passed to a program')
  }
  const name = Object.keys(env).find((key) => key.includes('=') || key.includes('\0') || env[key]?.includes('\0'))
  if (name !== undefined) {
    throw new SuperviseError(
      'spawn',
      `the environment entry ${JSON.stringify(name)} has a '=' in its name or a NUL, which can not be passed to a program`,
    )
  }
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new SuperviseError('spawn', `the working folder ${cwd} is not a folder`)
  }
}
