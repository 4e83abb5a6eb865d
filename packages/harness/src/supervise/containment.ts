/** Which containment level this machine offers. */
import { existsSync } from 'node:fs'
import type { ContainmentLevel } from './types.ts'

let probed: ContainmentLevel | undefined

/** The best level of this machine; probed once per process. */
export function probeContainment(): ContainmentLevel {
  probed ??= probe()
  return probed
}

function probe(): ContainmentLevel {
  if (process.platform === 'win32') return 'tree'
  return existsSync('/proc/self/environ') ? 'group+sweep' : 'group'
}
