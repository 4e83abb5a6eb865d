/** Finds a perl that can be the helper of level `subreaper`. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { posix } from 'node:path'
import { probeProgram, systemCalls } from './helper/subreaper-program.ts'

/** Where systems have it, for a runner whose PATH is empty or names neither: started by a service manager, or by `env -i`. */
const USUAL_FOLDERS = ['/usr/bin', '/usr/local/bin']

let found: string | null | undefined

/** The absolute path of a perl that may become a subreaper; null where there is none. Looked for once per process. */
export function findPerl(): string | null {
  if (found === undefined)
    found = process.platform === 'linux' ? (perlCandidates(process.env['PATH']).find(maySubreap) ?? null) : null
  return found
}

/** Where a perl may be, the most wanted first: in the absolute folders of `path`, then in the usual ones. Pure. */
export function perlCandidates(path: string | undefined): string[] {
  const folders = [...(path ?? '').split(':').filter(posix.isAbsolute), ...USUAL_FOLDERS]
  return [...new Set(folders.map((folder) => posix.join(folder, 'perl')))]
}

function maySubreap(file: string): boolean {
  const numbers = systemCalls[process.arch]
  if (numbers === undefined || !isExecutable(file)) return false
  const args = ['-e', probeProgram, `${numbers.prctl}`]
  return spawnSync(file, args, { env: { LC_ALL: 'C' }, stdio: 'ignore', timeout: 5_000 }).status === 0
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    // Not there or not executable: not a candidate.
    return false
  }
}
