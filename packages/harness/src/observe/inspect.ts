/** Lets the caller look at the world after the run. */
import type { SmokeSpec } from '../config/resolve.ts'
import { untilAborted } from '../launch/abort.ts'
import { messageOf } from '../launch/prepare.ts'
import type { World } from '../launch/world.ts'
import type { Inspection } from './facts.ts'

/** Calls the caller's `inspect`; `cause` is what it threw. Rejects only when the caller aborts. */
export async function inspectWorld(
  { inspect, abort }: SmokeSpec,
  { cwd }: World,
): Promise<{ readonly inspection: Inspection | null; readonly cause?: unknown }> {
  if (inspect === null) return { inspection: null }
  try {
    await untilAborted(abort, () => inspect(cwd))
    return { inspection: { failure: null } }
  } catch (cause) {
    abort?.throwIfAborted()
    return { inspection: { failure: messageOf(cause) }, cause }
  }
}
