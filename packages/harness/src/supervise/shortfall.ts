/** What the level that ran may have missed although the platform has a better one. Pure. */
import { systemCalls } from './helper/subreaper-program.ts'
import type { ContainmentLevel } from './types.ts'

/** The gap and how to close it, as one sentence; null when `level` is the best of the platform. */
export function shortfallOf(
  level: ContainmentLevel,
  platform: NodeJS.Platform = process.platform,
  arch: string = process.arch,
): string | null {
  if (platform !== 'linux' || systemCalls[arch] === undefined || level === 'subreaper') return null
  const missed = level === 'group+sweep' ? 'leaves its session and clears its environment' : 'leaves its session'
  return `containment was '${level}', so a process that ${missed} may still run; install perl (perl-base is enough), and all are ended.`
}
