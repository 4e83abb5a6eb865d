/** Runs things side by side, at most so many at once. */

/** Gives the result of each of `runs` when it is there. No run may reject; `atOnce` is at least 1. */
export async function* inPool<T>(runs: readonly (() => Promise<T>)[], atOnce: number): AsyncGenerator<T> {
  const running = new Map<number, Promise<{ readonly index: number; readonly value: T }>>()
  const waiting = [...runs.entries()]
  const startNext = () => {
    const [index, run] = waiting.shift() ?? []
    if (index === undefined || run === undefined) return
    running.set(
      index,
      run().then((value) => ({ index, value })),
    )
  }
  while (running.size < atOnce && waiting.length > 0) startNext()
  while (running.size > 0) {
    const { index, value } = await Promise.race(running.values())
    running.delete(index)
    startNext()
    yield value
  }
}
