/** Waits for a condition with a deadline: what tests use instead of sleeping. */

/**
 * Calls `probe` until it returns something other than `undefined`, `null` or `false`, and resolves with that.
 * Polls every `everyMs` (default 10) for at most `deadlineMs` (default 10,000), then rejects with `what` and the last error of the probe as `cause`.
 */
export async function waitFor<T>(
  what: string,
  probe: () => T | Promise<T>,
  { deadlineMs = 10_000, everyMs = 10 }: { readonly deadlineMs?: number; readonly everyMs?: number } = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const end = Date.now() + deadlineMs
  let lastError: unknown
  for (;;) {
    try {
      const value = await probe()
      if (value !== undefined && value !== null && value !== false) return value as NonNullable<Exclude<T, false>>
      lastError = undefined
    } catch (error) {
      // A probe may throw until its condition holds (a file that is not there yet); the last such error is the cause below.
      lastError = error
    }
    if (Date.now() > end) throw new Error(`waited ${deadlineMs} ms for ${what}`, { cause: lastError })
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
