/** The error of this folder: the run could not be started or not be ended. */
import type { Survivor } from './types.ts'

/**
 * `spawn`: the program was never started · `helper`: a process of ours that guards the run was killed or stopped, the tree was ended ·
 * `survivors`: processes are alive that KILL did not end · `capture`: the disk is full, so the captured streams may be incomplete.
 */
export type SuperviseStage = 'spawn' | 'helper' | 'survivors' | 'capture'

/** Says which stage went wrong; `cause` is the system's own error. */
export class SuperviseError extends Error {
  override readonly name = 'SuperviseError'
  readonly stage: SuperviseStage
  /** Of stage `survivors`. */
  readonly survivors: readonly Survivor[]

  constructor(
    stage: SuperviseStage,
    message: string,
    details: { cause?: unknown; survivors?: readonly Survivor[] } = {},
  ) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.stage = stage
    this.survivors = details.survivors ?? []
  }
}
