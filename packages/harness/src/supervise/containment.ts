/** Which containment level this machine offers, and how each is made. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Contain } from './contained.ts'
import { groupWith } from './group.ts'
import { probeProgram, systemCalls } from './helper/subreaper-program.ts'
import { subreaperWith } from './subreaper.ts'
import { SuperviseError } from './supervise-error.ts'
import { containInTree } from './tree.ts'
import type { ContainmentLevel } from './types.ts'

/** The best level of this machine; probed once per process (about 10 ms the first time). */
export function probeContainment(): ContainmentLevel {
  if (process.platform === 'win32') return 'tree'
  if (findPerl() !== null) return 'subreaper'
  return hasProc() ? 'group+sweep' : 'group'
}

/** The maker of a level. @throws SuperviseError `stage: 'spawn'` when this machine doesn't offer it. */
export function containAt(level: ContainmentLevel): Contain {
  const perl = level === 'subreaper' ? findPerl() : null
  if (perl !== null) return subreaperWith(perl)
  if (level === 'tree' && process.platform === 'win32') return containInTree
  if (level === 'group' && process.platform !== 'win32') return groupWith({ sweep: false })
  if (level === 'group+sweep' && hasProc()) return groupWith({ sweep: true })
  const best = probeContainment()
  throw new SuperviseError(
    'spawn',
    `containment '${level}' was asked for; the best that this machine offers is '${best}'`,
  )
}

let perl: string | null | undefined

/** The absolute path of a perl on PATH that may become a subreaper; null where there is none. */
function findPerl(): string | null {
  if (perl === undefined) perl = process.platform === 'linux' ? (perlsOnPath().find(maySubreap) ?? null) : null
  return perl
}

function perlsOnPath(): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute)
  return folders.map((folder) => join(folder, 'perl')).filter(isExecutable)
}

function maySubreap(file: string): boolean {
  const numbers = systemCalls[process.arch]
  if (numbers === undefined) return false
  const args = ['-e', probeProgram, `${numbers.prctl}`]
  return spawnSync(file, args, { env: { LC_ALL: 'C' }, stdio: 'ignore', timeout: 5_000 }).status === 0
}

function hasProc(): boolean {
  return existsSync('/proc/self/environ')
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
