/** The files that stand behind fd 0 to 2 of a program: streams without a pipe lose nothing and nobody waits for their end. */
import { closeSync, fstatSync, openSync, statfsSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SuperviseError } from './supervise-error.ts'
import type { SuperviseSpec } from './types.ts'

/** The open files of one run; `close()` them when it has ended. */
export interface CaptureFiles {
  readonly stdout: string
  readonly stderr: string
  readonly fds: readonly [number | 'ignore', number, number]
  /** The first stream with more than `limit` bytes. */
  above(limit: number): 'stdout' | 'stderr' | null
  /** @throws SuperviseError `stage: 'capture'` when the disk is full: programs seldom notice that their output was cut. */
  checkDisk(): void
  close(): void
}

/** Makes the files in `captureDir`. @throws SuperviseError `stage: 'capture'` when they can't be made. */
export function openCaptureFiles({ captureDir, stdin }: SuperviseSpec): CaptureFiles {
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
    const input = stdin === undefined ? 'ignore' : open(writeInput(captureDir, stdin), 'r')
    return {
      stdout,
      stderr,
      fds: [input, out, err],
      above: (limit) => (fstatSync(out).size > limit ? 'stdout' : fstatSync(err).size > limit ? 'stderr' : null),
      checkDisk: () => checkDisk(captureDir),
      close,
    }
  } catch (cause) {
    close()
    const message = `the streams can't be captured in ${captureDir}: ${(cause as Error).message}`
    throw new SuperviseError('capture', message, { cause })
  } finally {
    // The open descriptor is enough; the content may be secret. Absent when there was no input.
    if (stdin !== undefined && process.platform !== 'win32') removeIfThere(join(captureDir, 'stdin'))
  }
}

function checkDisk(captureDir: string): void {
  const { bavail, bfree } = statfsSync(captureDir)
  // The superuser may use the reserved blocks too.
  if ((process.getuid?.() === 0 ? bfree : bavail) > 0) return
  throw new SuperviseError(
    'capture',
    `the disk that holds ${captureDir} is full, so what the program wrote may be cut.\nNext: free space there, or name another folder with tempDirParent.`,
  )
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
