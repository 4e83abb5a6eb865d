/** Waits for the caller's own code, but no longer than until the caller aborts. */

/** Resolves or rejects like `work`; when `signal` aborts first, rejects with its reason and leaves `work` to itself. */
export async function untilAborted<T>(signal: AbortSignal | null, work: () => Promise<T> | T): Promise<T> {
  if (signal === null) return work()
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([aborted, work()])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
