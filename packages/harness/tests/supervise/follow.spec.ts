/** Live progress: what a program prints is told while it runs, in order and whole. */
import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tempWorkspace, waitFor } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { followCapture, prefixLines } from '../../src/observe/follow.ts'
import { supervise } from '../../src/supervise/supervise.ts'

describe('followCapture', () => {
  it('tells what a program has printed while it still runs', async () => {
    await using folder = await tempWorkspace()
    const run = await supervise({
      argv: [process.execPath, '-e', 'console.log("booted"); process.stdin.resume(); setInterval(() => {}, 1000)'],
      env: {},
      cwd: folder.path,
      stdio: 'file',
      captureDir: mkdtempSync(`${folder.path}/capture-`),
      graceMs: 1_000,
    })
    let told = ''
    const following = await followCapture(run.stdoutFile as string, (text) => (told += text))
    await waitFor('the line to be told', () => told === 'booted\n')
    await run.stop()
    await following.finish()
    expect(told).toBe('booted\n')
  })

  it('keeps characters whole that are written in two parts, and tells one that is never completed', async () => {
    await using folder = await tempWorkspace({ out: '' })
    const told: string[] = []
    const following = await followCapture(folder.file('out'), (text) => told.push(text))
    const euro = Buffer.from('€')
    appendFileSync(folder.file('out'), Buffer.concat([Buffer.from('a'), euro.subarray(0, 2)]))
    await waitFor('the first part', () => told.join('') === 'a')
    appendFileSync(folder.file('out'), Buffer.concat([euro.subarray(2), euro.subarray(0, 1)]))
    await following.finish()
    expect(told.join('')).toBe('a€\ufffd')
  })

  it('tells everything that was written before the end, however much', async () => {
    await using folder = await tempWorkspace()
    writeFileSync(folder.file('out'), 'x'.repeat(5_000_000))
    let bytes = 0
    const following = await followCapture(folder.file('out'), (text) => (bytes += text.length))
    await following.finish()
    expect(bytes).toBe(5_000_000)
  })

  it('rejects from finish with what the listener threw, and tells nothing more', async () => {
    await using folder = await tempWorkspace({ out: 'x' })
    const told: string[] = []
    const following = await followCapture(folder.file('out'), (text) => {
      told.push(text)
      throw new Error('terminal closed')
    })
    await waitFor('the text', () => told.length > 0)
    appendFileSync(folder.file('out'), 'y')
    await expect(following.finish()).rejects.toThrow('terminal closed')
    expect(told).toEqual(['x'])
  })
})

describe('prefixLines', () => {
  it('prefixes whole lines only, and the rest at the end', () => {
    const written: string[] = []
    const lines = prefixLines('[app] ', (text) => written.push(text))
    lines.text('a\nb')
    lines.text('c\n\nd')
    expect(written).toEqual(['[app] a\n', '[app] bc\n[app] \n'])
    lines.end()
    lines.end()
    expect(written.at(-1)).toBe('[app] d\n')
    expect(written).toHaveLength(3)
  })
})
