/** Waits for a boot, and knows when it will never end. */

/** How waiting ended. */
export type Settled<T> =
  | { readonly kind: 'booted'; readonly value: T }
  | { readonly kind: 'stuck'; readonly why: string }

/**
 * Resolves with what `booting` gives, or with `stuck` as soon as the process has nothing left to do (Node would exit 13 then),
 * at the latest after `timeoutMs`. Rejects as `booting` does.
 */
export async function settle<T>(booting: Promise<T>, timeoutMs: number): Promise<Settled<T>> {
  const { promise, resolve } = Promise.withResolvers<Settled<T>>()
  const idle = () => resolve({ kind: 'stuck', why: 'and nothing is left that could go on' })
  // The timer may not keep the process alive: running dry is the earlier and the better answer.
  const timer = setTimeout(() => resolve({ kind: 'stuck', why: `within ${timeoutMs / 1000}s` }), timeoutMs).unref()
  process.once('beforeExit', idle)
  try {
    return await Promise.race([booting.then((value) => ({ kind: 'booted' as const, value })), promise])
  } finally {
    clearTimeout(timer)
    process.off('beforeExit', idle)
  }
}
