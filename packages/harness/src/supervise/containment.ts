/** Which containment level this machine offers, and how each is made. */
import { existsSync } from 'node:fs'
import type { Contain } from './contained.ts'
import { groupWith } from './group.ts'
import { findPerl } from './perl.ts'
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

function hasProc(): boolean {
  return existsSync('/proc/self/environ')
}
