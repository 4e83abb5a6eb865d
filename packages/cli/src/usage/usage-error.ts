/** The call itself is wrong: nothing was run. `message` says what was given, what is allowed, and what to do next. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The caller's mistake, ours to tell by its message alone: of the call, or of the options in a file. */
export function isWrongUse(error: unknown): error is Error {
  // By name: the harness' class is not loaded for a call that doesn't need it.
  return error instanceof UsageError || (error instanceof Error && error.name === 'OptionError')
}
