/** Waits for code that is not ours, but not forever. */

/** Resolves or rejects like `work`; rejects with a sentence when it has not settled after `limitMs`, and leaves it to itself then. */
export async function within<T>(limitMs: number, work: () => Promise<T> | T): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`it had not settled after ${limitMs / 1000}s`)), limitMs)
  try {
    return await Promise.race([late, work()])
  } finally {
    clearTimeout(timer)
  }
}
