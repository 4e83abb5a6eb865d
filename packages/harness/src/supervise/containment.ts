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
  return offeredLevels()[0]
}

/** The maker of a level. @throws SuperviseError `stage: 'spawn'` when this machine doesn't offer it. */
export function containAt(level: ContainmentLevel): Contain {
  const offered = offeredLevels()
  if (!offered.includes(level)) {
    const levels = offered.map((name) => `'${name}'`).join(', ')
    throw new SuperviseError(
      'spawn',
      `containment must be a level that this machine offers (${levels}), got '${level}'.\nNext: leave containment out for the best of them.`,
    )
  }
  if (level === 'subreaper') return subreaperWith(findPerl() as string) // offered: it was found
  return level === 'tree' ? containInTree : groupWith({ sweep: level === 'group+sweep' })
}

/** The best first. */
function offeredLevels(): readonly [ContainmentLevel, ...ContainmentLevel[]] {
  if (process.platform === 'win32') return ['tree']
  const groups = hasProc() ? (['group+sweep', 'group'] as const) : (['group'] as const)
  return findPerl() === null ? groups : ['subreaper', ...groups]
}

function hasProc(): boolean {
  return existsSync('/proc/self/environ')
}
