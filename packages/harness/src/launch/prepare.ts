/** Lets the caller fill the world before the start. */
import type { SmokeSpec } from '../config/resolve.ts'
import { untilAborted } from './abort.ts'
import { LaunchError } from './launch-error.ts'
import type { World } from './world.ts'

/**
 * Calls the caller's `prepare`.
 * @throws LaunchError `stage: 'prepare'` with the caller's error as `cause`; the abort signal's reason when it aborts.
 */
export async function prepareWorld({ label, prepare, abort }: SmokeSpec, { cwd }: World): Promise<void> {
  if (prepare === null) return
  try {
    await untilAborted(abort, () => prepare(cwd))
  } catch (cause) {
    throw new LaunchError('prepare', `${label} prepare failed: ${messageOf(cause)}`, cause)
  }
}

/** The message of whatever was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
