/** What a runner does that is told to end while a program runs below it; INT, TERM, HUP, KILL and exit are in the matrix. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { alive, tempWorkspace, type TempWorkspace, waitFor } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { onInterrupt } from '../../src/supervise/interrupt.ts'
import { noted } from './matrix/leftovers.ts'

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))

describe.skipIf(process.platform === 'win32')('an interrupted runner', () => {
  it('ends at once at the second signal, whatever grace is left', async () => {
    await using folder = await tempWorkspace()
    const runner = start(folder, 'ignores-term', { graceMs: 60_000 })
    await runner.ready()
    // Signals that come while one is pending are one with it: sent until two were heard.
    await waitFor('the runner to end', () => !runner.child.kill('SIGINT') || runner.child.signalCode !== null)
    expect(await runner.ended).toEqual([null, 'SIGINT'])
    expect(alive(noted(folder.file('pids')).pids)).toEqual([])
    expect(existsSync(folder.file('world'))).toBe(false)
  })

  it('leaves dying to another listener for the signal, and still ends the program and the world', async () => {
    await using folder = await tempWorkspace()
    const runner = start(folder, 'well-behaved', { listens: true })
    await runner.ready()
    runner.child.kill('SIGINT')
    expect(await runner.ended).toEqual([0, null])
    await waitFor('the report', () => runner.said().includes('"interrupted":"SIGINT"'))
    expect(existsSync(folder.file('world'))).toBe(false)
  })

  it('ends the program when its IPC channel is gone', async () => {
    await using folder = await tempWorkspace()
    const runner = start(folder, 'setsid-orphan', {}, 'ipc')
    await runner.ready()
    runner.child.disconnect()
    expect(await runner.ended).toEqual([0, null])
    await waitFor('the report', () => runner.said().includes('"interrupted":"disconnect"'))
    expect(alive(noted(folder.file('pids')).pids)).toEqual([])
    expect(existsSync(folder.file('world'))).toBe(false)
  })
})

describe('onInterrupt', () => {
  it('listens exactly while something is registered', () => {
    const before = listeners()
    const releaseFirst = onInterrupt(() => {})
    const during = listeners()
    const releaseSecond = onInterrupt(() => {})
    expect(listeners()).toEqual(during)
    expect(during.slice(0, 4)).toEqual(before.slice(0, 4).map((count) => count + 1))
    releaseFirst()
    expect(listeners()).toEqual(during)
    releaseSecond()
    releaseSecond()
    expect(listeners()).toEqual(before)
  })
})

function listeners(): number[] {
  return ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit', 'disconnect'].map((name) => process.listenerCount(name))
}

function start(folder: TempWorkspace, name: string, more: Record<string, unknown>, ipc?: 'ipc') {
  const pids = folder.file('pids')
  const orders = {
    folder: folder.path,
    argv: ['/bin/sh', fixture(`${name}.sh`), pids, 'stay'],
    env: { PATH: process.env['PATH'] },
    stdio: 'file',
    graceMs: 100,
    ...more,
  }
  const child: ChildProcess = spawn(process.execPath, [fixture('runner.ts'), JSON.stringify(orders)], {
    stdio: ['ignore', 'pipe', 'inherit', ...(ipc === undefined ? [] : [ipc])],
  })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += String(chunk)))
  // A parent that closes the channel itself sees no `close` of the child (Node 24).
  const ended = once(child, 'exit')
  const ready = () => waitFor('the program to run', () => output.includes('"pid"') && noted(pids).ready)
  return { child, ended, ready, said: () => output }
}
