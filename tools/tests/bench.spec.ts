import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { measurePair, median } from '../measure/paired.ts'

test.each([
  [[3], 3],
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
  [[1, 1, 1000], 1],
])('the median of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle)
})

test('both sides run in turn, the first of each uncounted, and which goes first changes', async () => {
  const log: string[] = []
  const cost = (side: string, first: number, then: number) => () => {
    log.push(side)
    return Promise.resolve(log.filter((entry) => entry === side).length === 1 ? first : then)
  }
  const pair = { bench: 'a over b', unit: 'ms', ours: cost('a', 1000, 3), other: cost('b', 1000, 2) } as const
  expect(await measurePair(pair, 4)).toEqual({ bench: 'a over b', unit: 'ms', ours: 3, other: 2, ratio: 1.5, runs: 4 })
  expect(log.join('')).toBe('ab' + 'abba'.repeat(2))
})

test('a bench that does not exist is refused with the names of those that do', () => {
  const bench = fileURLToPath(new URL('../bench.ts', import.meta.url))
  const done = spawnSync(process.execPath, [bench, 'nonsense'], { encoding: 'utf8' })
  expect(done.status).toBe(2)
  expect(done.stderr).toMatch(
    /^bench must be one of (?:\w[\w-]*, )*harness(?:, \w[\w-]*)*, got "nonsense"\.\nNext: name one of these, or none for all\.\n$/,
  )
})
