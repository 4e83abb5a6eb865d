/** Many smokes at once, half of them ending in nasty ways: every verdict is right and nothing is left. */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { alive, tempWorkspace, waitFor } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { runLoaderSmoke } from '../../src/run-loader-smoke.ts'
import { probeContainment } from '../../src/supervise/containment.ts'
import { noted, users } from './matrix/leftovers.ts'

const RUNS = 200
const AT_ONCE = 16

/** What the bin does, and what must be said about it; null is a pass. */
const kinds: readonly (readonly [kind: string, says: RegExp | null, survivors: number])[] = [
  ['passes', null, 0],
  ['exits 3', /^smoke \d+ exited 3 \(expected 0\)\./, 0],
  ['passes', null, 0],
  ['hangs', /^smoke \d+ did not exit within 0\.4s\./, 0],
  ['passes', null, 0],
  ['leaves a daemon', null, 1],
  ['passes', null, 0],
  ['hangs with a daemon', /^smoke \d+ did not exit within 0\.4s\./, 1],
  ['passes', null, 0],
  ['kills itself', /^smoke \d+ was killed by SIGKILL \(expected exit 0\)\./, 0],
]

const bin = `
  import { spawnSync } from 'node:child_process'
  const [kind, daemon, pids] = process.argv.slice(2)
  if (kind.includes('daemon')) spawnSync('/bin/sh', [daemon, pids, 'exit'], { stdio: 'inherit' })
  if (kind === 'exits 3') process.exit(3)
  if (kind === 'kills itself') process.kill(process.pid, 'SIGKILL')
  if (kind.startsWith('hangs')) setInterval(() => {}, 1000)
`

describe.skipIf(probeContainment() !== 'subreaper')('smokes in parallel', () => {
  it(`judges ${RUNS} runs, ${AT_ONCE} at a time, rightly and leaves no process, folder or descriptor`, async () => {
    await using app = await tempWorkspace({
      'package.json': '{"type":"module"}',
      'lib/bin.js': bin,
      'worlds/.keep': '',
    })
    const worlds = app.file('worlds')
    const pids = app.file('pids')
    const daemon = fileURLToPath(new URL('fixtures/double-fork-daemon.sh', import.meta.url))
    const run = (index: number) => {
      const [kind] = kindOf(index)
      return runLoaderSmoke({
        label: `smoke ${index}`,
        tempDirPrefix: 'app-',
        tempDirParent: worlds,
        binScript: app.file('src/bin.ts'),
        binArgs: [kind, daemon, `${pids}-${index}`],
        mode: 'lib',
        // Twenty times what a start takes on an idle machine, for those that must not be ended by it.
        processTimeoutMs: kind.startsWith('hangs') ? 400 : 30_000,
      })
    }
    await run(0)
    const openBefore = openDescriptors()

    const outcomes = await inParallel(RUNS, AT_ONCE, async (index) => {
      try {
        return { message: null, survivors: (await run(index)).survivors.length }
      } catch (error) {
        const { message, verdict } = error as Error & { verdict?: { facts?: { survivors: readonly unknown[] } } }
        return { message, survivors: verdict?.facts?.survivors.length ?? -1 }
      }
    })

    const wrong = outcomes.flatMap(({ message, survivors }, index) => {
      const [kind, says, expected] = kindOf(index)
      // Sixteen starts at once may take longer than the deadline: then the daemon was not there yet.
      const named = survivors === expected || (kind === 'hangs with a daemon' && survivors === 0)
      return named && (says === null ? message === null : says.test(message ?? ''))
        ? []
        : [{ index, kind, message, survivors }]
    })
    expect(wrong).toEqual([])
    const noticed = Array.from({ length: RUNS }, (_, index) => noted(`${pids}-${index}`).pids).flat()
    expect(noticed.length).toBeGreaterThan(RUNS / 10)
    expect([...alive(noticed), ...users(worlds)]).toEqual([])
    expect(readdirSync(worlds)).toEqual(['.keep'])
    await waitFor('descriptors to be closed', () => openDescriptors() <= openBefore)
  }, 300_000)
})

function kindOf(index: number) {
  return kinds[index % kinds.length] as (typeof kinds)[number]
}

function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length
}

/** Calls `work` for 0 to `count` - 1, never more than `atOnce` at a time. */
async function inParallel<T>(count: number, atOnce: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const worker = async () => {
    while (next < count) {
      const index = next++
      results[index] = await work(index)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}
