/** Measures two ways of doing the same in turn, so that whatever else the machine does hits both alike. */

/** One comparison, as `npm run bench -- --json` prints it. */
export interface Row {
  /** What is compared, and against what. */
  readonly bench: string
  readonly unit: 'ms' | 'ms cpu' | 'bytes'
  /** Medians over the runs. */
  readonly ours: number
  readonly other: number
  /** `ours / other`. */
  readonly ratio: number
  /** Of each side, without those before the clock counts. */
  readonly runs: number
}

/** Two ways of doing the same; each gives what it cost, in `unit`. */
export interface Pair {
  readonly bench: string
  readonly unit: Row['unit']
  ours(): Promise<number>
  other(): Promise<number>
}

/** Once each without counting, then `runs` times each; which side goes first changes every time. */
export async function measurePair({ bench, unit, ours, other }: Pair, runs: number): Promise<Row> {
  await ours()
  await other()
  const costs = { ours: [] as number[], other: [] as number[] }
  for (let run = 0; run < runs; run++) {
    if (run % 2 === 0) costs.ours.push(await ours())
    costs.other.push(await other())
    if (run % 2 === 1) costs.ours.push(await ours())
  }
  const [oursMedian, otherMedian] = [median(costs.ours), median(costs.other)]
  return {
    bench,
    unit,
    ours: round(oursMedian),
    other: round(otherMedian),
    ratio: round(oursMedian / otherMedian),
    runs,
  }
}

/** Milliseconds on the clock until `work` is done. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** The middle of `values`, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const around = Number.isInteger(middle) ? [middle - 1, middle] : [Math.floor(middle)]
  return around.reduce((sum, at) => sum + (sorted[at] ?? Number.NaN), 0) / around.length
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
