/** Leaves the world of a run: takes it away, or keeps it as the caller asked. */
import { join } from 'node:path'
import type { SmokeSpec } from './config/resolve.ts'
import type { World } from './launch/world.ts'
import type { Remains } from './report/conclude.ts'
import { shortfallOf } from './supervise/shortfall.ts'
import { withCleanUpError } from './verdict/error-verdict.ts'
import type { Verdict } from './verdict/verdict.ts'

type Outcome = { readonly verdict: Verdict } & Omit<Remains, 'kept'>

/** Removes or keeps the folders; a clean-up that went wrong becomes part of what is told, and turns a pass into an error. */
export async function leave(
  spec: SmokeSpec,
  world: World,
  outcome: Outcome,
): Promise<{ readonly verdict: Verdict } & Remains> {
  const kept = keeps(spec, outcome.verdict)
    ? {
        folder: world.owned[0] ?? world.cwd,
        stdoutFile: join(world.runDir, 'stdout'),
        stderrFile: join(world.runDir, 'stderr'),
      }
    : null
  if (kept !== null && spec.world.keep !== 'never') world.giveUp()
  const removal = kept === null ? await remove(world) : null
  const cleanUp = both(outcome.cleanUp, removal)
  const verdict = cleanUp === null ? outcome.verdict : withCleanUpError(outcome.verdict, cleanUp)
  return { ...outcome, verdict, kept, cleanUp }
}

/**
 * Says on stderr what neither a result nor an error will tell: where a pass or an abort kept its world, what an abort could not clean up,
 * and that survivors which would have failed a pass may have been missed.
 */
export function tellAside(
  { label, abort, expect, containment }: SmokeSpec,
  verdict: Verdict,
  { kept, cleanUp }: Remains,
): void {
  if (verdict.kind !== 'pass' && !abort?.aborted) return
  const missed = verdict.kind === 'pass' && containment === null ? shortfallOf(verdict.facts.containment) : null
  if (missed !== null && expect.survivors === 'fail') process.stderr.write(`${label}: ${missed}\n`)
  if (kept !== null) process.stderr.write(`${label}: the world was kept: ${kept.folder}\n`)
  if (cleanUp !== null) process.stderr.write(`loader-smoke: ${cleanUp.message}\n`)
}

function both(first: Error | null, second: Error | null): Error | null {
  if (first === null || second === null) return first ?? second
  return new AggregateError([first, second], `${first.message}\n${second.message}`)
}

/** A world in which processes are still alive is kept: removed under them, it would come back. */
function keeps({ world, abort }: SmokeSpec, verdict: Verdict): boolean {
  if (verdict.kind === 'error' && verdict.stage === 'survivors') return true
  return world.keep === 'always' || (world.keep === 'on-failure' && verdict.kind !== 'pass' && abort?.aborted !== true)
}

async function remove(world: World): Promise<Error | null> {
  try {
    await world.remove()
    return null
  } catch (error) {
    return error as Error
  }
}
