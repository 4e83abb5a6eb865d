/** Runs things with bounded parallelism. */

/** What a pool is told. */
export interface PoolOptions<Item, Result> {
  readonly jobs: number
  run(item: Item): Promise<Result>
  /** Asked after each result: true starts no further item; those that run come to their end. */
  stop(result: Result): boolean
}

/** The results in the order of `items`; those that were not started are undefined. Rejects with the first rejection once nothing runs any more. */
export async function runPool<Item, Result>(
  items: readonly Item[],
  { jobs, run, stop }: PoolOptions<Item, Result>,
): Promise<(Result | undefined)[]> {
  const results: (Result | undefined)[] = items.map(() => undefined)
  let next = 0
  let stopped = false
  const failures: unknown[] = []
  const worker = async () => {
    while (!stopped && next < items.length) {
      const index = next++
      try {
        const result = await run(items[index] as Item)
        results[index] = result
        if (stop(result)) stopped = true
      } catch (error) {
        failures.push(error)
        stopped = true
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, items.length) }, worker))
  if (failures.length > 0) throw failures[0]
  return results
}
