/** The run can't be started as described: a file is missing, the world can't be made, the caller's own set-up threw. Nobody's fault but the caller's or the machine's. */

/** Which step before the start it was. */
export type LaunchStage = 'options' | 'launch' | 'world' | 'prepare' | 'services'

/** `message` is whole: what happened, what was expected, what to do next. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError'
  readonly stage: LaunchStage

  constructor(stage: LaunchStage, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.stage = stage
  }
}
