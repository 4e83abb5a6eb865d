/** Starts a program in a containment, with its streams on files or pipes, and tells how it ended. */
import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, openSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
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
  const files = spec.stdio === 'file' ? openFiles(spec) : null
  const contained = await contain({
    argv: spec.argv,
    cwd: spec.cwd,
    env: { ...spec.env, [COOKIE_NAME]: cookie },
    cookie,
    stdio: files?.fds ?? ['pipe', 'pipe', 'pipe'],
    deadlineMs: spec.deadlineMs,
    graceMs: spec.graceMs,
  }).catch((error: unknown) => {
    files?.close()
    throw error
  })

  let overflowed: Ending['overflowed'] = null
  let asked = false
  let interrupted: Ending['interrupted'] = null
  const poll =
    files === null || spec.maxOutputBytes === undefined
      ? undefined
      : setInterval(() => {
          overflowed = files.above(spec.maxOutputBytes as number)
          if (overflowed === null) return
          clearInterval(poll)
          contained.stop()
        }, OUTPUT_POLL_MS)

  const ended = contained.ended
    .then((ending): Ending => {
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
  trackRun({
    ended,
    interrupt(why) {
      interrupted = why
      contained.stop()
    },
    kill: () => contained.kill(),
    endNow: () => contained.endNow(),
  })

  return {
    pid: contained.pid,
    containment,
    stdin: contained.stdin,
    stdout: contained.stdout,
    stderr: contained.stderr,
    stdoutFile: files?.stdout ?? null,
    stderrFile: files?.stderr ?? null,
    ended,
    stop() {
      if (!contained.exited) asked = true
      contained.stop()
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

interface CaptureFiles {
  readonly stdout: string
  readonly stderr: string
  readonly fds: readonly [number | 'ignore', number, number]
  /** The first stream with more than `limit` bytes. */
  above(limit: number): 'stdout' | 'stderr' | null
  close(): void
}

function openFiles({ captureDir, stdin }: SuperviseSpec): CaptureFiles {
  if (captureDir === undefined)
    throw new SuperviseError('spawn', "stdio 'file' needs captureDir, an existing private folder")
  const stdout = join(captureDir, 'stdout')
  const stderr = join(captureDir, 'stderr')
  const opened: number[] = []
  const open = (file: string, flags: string) => {
    const fd = openSync(file, flags, 0o600)
    opened.push(fd)
    return fd
  }
  const close = () => opened.splice(0).forEach((fd) => closeSync(fd))
  try {
    const out = open(stdout, 'ax')
    const err = open(stderr, 'ax')
    const fds = [stdin === undefined ? 'ignore' : open(writeInput(captureDir, stdin), 'r'), out, err] as const
    return {
      stdout,
      stderr,
      fds,
      above: (limit) => (fstatSync(out).size > limit ? 'stdout' : fstatSync(err).size > limit ? 'stderr' : null),
      close,
    }
  } catch (cause) {
    close()
    throw new SuperviseError('spawn', `the streams can't be captured in ${captureDir}: ${(cause as Error).message}`, {
      cause,
    })
  } finally {
    // The open descriptor is enough; the content may be secret. Absent when there was no input.
    if (stdin !== undefined && process.platform !== 'win32') removeIfThere(join(captureDir, 'stdin'))
  }
}

function writeInput(captureDir: string, stdin: string | Uint8Array): string {
  const file = join(captureDir, 'stdin')
  writeFileSync(file, stdin, { mode: 0o600, flag: 'wx' })
  return file
}

function removeIfThere(file: string): void {
  try {
    unlinkSync(file)
  } catch {
    // Never written: the error that stopped it is the one reported.
  }
}
