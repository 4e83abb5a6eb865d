/** Which mode a task runs in, when inference, options, command line and environment may each have named one. Pure. */
import { EXAMPLE_MODE_ENV, type ExampleMode, OptionError, resolveExampleMode } from '@loader-smoke/harness'

/** What a task was given. */
export interface GivenModes {
  /** `mode` as the task's options have it after configurations and the command line. */
  readonly mode?: string | undefined
  /** The mode that the plugin took from the environment at inference, and wrote into `mode`. */
  readonly inferredMode?: string | undefined
  /** `DSH_EXAMPLE_MODE` as the task sees it, after `.env` files. */
  readonly environment?: string | undefined
}

/**
 * The mode to run in. One that was written down (target, configuration, command line) wins over the environment.
 * @throws OptionError for a word that is no mode, and when an inferred mode and the environment at run time disagree: the task's
 *   dependencies and cache key were made for the inferred one.
 */
export function agreedMode({ mode, inferredMode, environment }: GivenModes): ExampleMode {
  const agreed = resolveExampleMode(mode ?? environment)
  const inferred = mode !== undefined && mode === inferredMode
  if (!inferred) return agreed
  const atRunTime = resolveExampleMode(environment)
  if (atRunTime !== agreed)
    throw new OptionError(
      'mode',
      `${EXAMPLE_MODE_ENV} is '${atRunTime}' for this task, but Nx planned the task in mode '${agreed}': ` +
        'the variable comes from an .env file that Nx reads only after planning, so neither `build` nor the cache key knows of it.\n' +
        `Next: set ${EXAMPLE_MODE_ENV} in the shell or in the workspace's own .env, or write "mode": "${atRunTime}" into the target's options.`,
    )
  return agreed
}
