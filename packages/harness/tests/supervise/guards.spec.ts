/** The processes that guard a run are killed themselves, one at a time or all: the deadline holds all the same, to the moment, and the tree is ended. */
import { existsSync, mkdtempSync } from 'node:fs'
import { alive, ancestors, processesWith, tempWorkspace, waitFor } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { probeContainment } from '../../src/supervise/containment.ts'
import { supervise } from '../../src/supervise/supervise.ts'
import { LATE_MS } from '../../src/supervise/timing.ts'
import type { SuperviseSpec } from '../../src/supervise/types.ts'

const DEADLINE_MS = 2_000
/** Well before the runner's last net, which is for guards that are alive and do nothing. */
const SETTLES_WITHIN_MS = DEADLINE_MS + LATE_MS / 2

describe.skipIf(process.platform !== 'linux').each(['group+sweep', 'group'] as const)('at level %s', (containment) => {
  it.each([
    ['the watchdog', (guards: Guards) => [guards.watchdog]],
    ['its part that keeps the deadline', (guards: Guards) => [guards.keeper]],
    ['the sleep of that part', (guards: Guards) => [guards.sleep]],
    ['that part and its sleep', (guards: Guards) => [guards.keeper, guards.sleep]],
    ['all of them', (guards: Guards) => [guards.watchdog, guards.keeper, guards.sleep]],
  ])('keeps the deadline when %s is killed', async (_, victims) => {
    await using run = await start({ containment })
    const guards = await watchdogOfThis()
    for (const pid of victims(guards)) process.kill(pid, 'SIGKILL')
    const { settledAfterMs, ending } = await run.settled
    expect(ending).toMatchObject({ timedOut: true, signal: 'SIGTERM', stopped: false })
    expect(settledAfterMs).toBeGreaterThan(DEADLINE_MS - 1)
    expect(settledAfterMs).toBeLessThan(SETTLES_WITHIN_MS)
    expect(alive([run.pid, ...Object.values(guards)])).toEqual([])
  })

  it('tells a deadline that passes within the grace of a stop from one that ended the program', async () => {
    const hears = 'trap "" TERM; : >ready; while :; do sleep 1; done'
    await using run = await start({ containment, graceMs: DEADLINE_MS * 2 }, hears)
    await waitFor('the program to ignore TERM', () => existsSync(run.file('ready')))
    void run.stop()
    expect((await run.settled).ending).toMatchObject({ stopped: true, timedOut: false, signal: 'SIGKILL' })
  })
})

describe.skipIf(probeContainment() !== 'subreaper')('at level subreaper', () => {
  it('keeps the deadline when the guardian is killed', async () => {
    await using run = await start({ containment: 'subreaper' })
    const [helper = 0, guardian = 0] = ancestors(run.pid)
    process.kill(guardian, 'SIGKILL')
    const { settledAfterMs, ending } = await run.settled
    expect(ending).toMatchObject({ timedOut: true, signal: 'SIGTERM', stopped: false })
    expect(settledAfterMs).toBeLessThan(SETTLES_WITHIN_MS)
    expect(alive([run.pid, helper])).toEqual([])
  })

  it('does not wait for the deadline when the helper is killed', async () => {
    await using run = await start({ containment: 'subreaper' })
    const [helper = 0, guardian = 0] = ancestors(run.pid)
    process.kill(helper, 'SIGKILL')
    await expect(run.settled).rejects.toMatchObject({ stage: 'helper' })
    expect(alive([run.pid, guardian])).toEqual([])
  })
})

describe.skipIf(probeContainment() !== 'subreaper')('a program that stops those above it', () => {
  it.each([
    ['the helper', 'kill -STOP $PPID; sleep 60'],
    ['the guardian', 'read -r _ _ _ guardian _ </proc/$PPID/stat; kill -STOP $guardian; sleep 60'],
    ['both', 'read -r _ _ _ guardian _ </proc/$PPID/stat; kill -STOP $guardian $PPID; sleep 60'],
  ])('is ended at its deadline, and leaves neither of them: %s', async (_, command) => {
    await using run = await start({ containment: 'subreaper' }, command)
    const above = ancestors(run.pid).slice(0, 2)
    const { settledAfterMs, ending } = await run.settled
    expect(ending).toMatchObject({ timedOut: true, signal: 'SIGTERM' })
    expect(settledAfterMs).toBeLessThan(SETTLES_WITHIN_MS)
    expect(alive([run.pid, ...above])).toEqual([])
  })

  it('is ended when it is asked to', async () => {
    const stopsBoth = 'read -r _ _ _ guardian _ </proc/$PPID/stat; kill -STOP $guardian $PPID; : >ready; sleep 60'
    await using run = await start({ containment: 'subreaper', deadlineMs: 60_000 }, stopsBoth)
    const above = ancestors(run.pid).slice(0, 2)
    await waitFor('the program to have stopped both', () => existsSync(run.file('ready')))
    expect(await run.stop()).toMatchObject({ stopped: true, signal: 'SIGTERM' })
    expect(alive([run.pid, ...above])).toEqual([])
  })
})

interface Guards {
  /** Waits for the runner's death. */
  readonly watchdog: number
  readonly keeper: number
  readonly sleep: number
}

async function watchdogOfThis(): Promise<Guards> {
  return waitFor('the watchdog to guard', () => {
    const shells = processesWith('loader-smoke-watchdog').map(({ pid }) => pid)
    const watchdog = shells.find((pid) => ancestors(pid)[0] === process.pid)
    const keeper = shells.find((pid) => ancestors(pid)[0] === watchdog)
    const sleep = processesWith(`sleep ${DEADLINE_MS / 1_000}`).find(({ pid }) => ancestors(pid)[0] === keeper)?.pid
    return watchdog !== undefined && keeper !== undefined && sleep !== undefined && { watchdog, keeper, sleep }
  })
}

async function start(more: Partial<SuperviseSpec>, command = 'exec sleep 60') {
  const folder = await tempWorkspace()
  const startedAt = performance.now()
  const run = await supervise({
    argv: ['/bin/sh', '-c', command],
    cwd: folder.path,
    env: { PATH: '/usr/bin:/bin' },
    stdio: 'file',
    captureDir: mkdtempSync(folder.file('c-')),
    deadlineMs: DEADLINE_MS,
    graceMs: 100,
    ...more,
  })
  const settled = run.ended.then((ending) => ({ ending, settledAfterMs: performance.now() - startedAt }))
  return {
    pid: run.pid,
    file: folder.file,
    stop: () => run.stop(),
    settled,
    async [Symbol.asyncDispose]() {
      await run.stop().catch(() => {}) // told by `settled`
      await folder[Symbol.asyncDispose]()
    },
  }
}
