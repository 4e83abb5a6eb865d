/** Live progress: what a program prints is told while it runs, in order and whole. */
import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tempWorkspace, waitFor } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { type CaptureListener, followCapture } from '../../src/observe/follow.ts'
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
    const following = followCapture(
      run.stdoutFile as string,
      toText((text) => (told += text)),
    )
    await waitFor('the line to be told', () => told === 'booted\n')
    await run.stop()
    await following.finish()
    expect(told).toBe('booted\n')
  })

  it('keeps characters whole that are written in two parts, and tells one that is never completed', async () => {
    await using folder = await tempWorkspace({ out: '' })
    const told: string[] = []
    const following = followCapture(
      folder.file('out'),
      toText((text) => told.push(text)),
    )
    const euro = Buffer.from('€')
    appendFileSync(folder.file('out'), Buffer.concat([Buffer.from('a'), euro.subarray(0, 2)]))
    await waitFor('the first part', () => told.join('') === 'a')
    appendFileSync(folder.file('out'), Buffer.concat([euro.subarray(2), euro.subarray(0, 1)]))
    await following.finish()
    expect(told.join('')).toBe('a€\ufffd')
  })

  it('tells everything that was written before the end', async () => {
    await using folder = await tempWorkspace()
    writeFileSync(folder.file('out'), 'x'.repeat(128 * 1024))
    let bytes = 0
    const following = followCapture(
      folder.file('out'),
      toText((text) => (bytes += text.length)),
    )
    await following.finish()
    expect(bytes).toBe(128 * 1024)
  })

  it('skips what it is too far behind of, goes on with the latest, and says that nothing follows', async () => {
    await using folder = await tempWorkspace()
    writeFileSync(folder.file('out'), `${'x'.repeat(5_000_000)}€the latest`)
    const told: (string | number)[] = []
    const following = followCapture(folder.file('out'), {
      text: (text) => told.push(text),
      skipped: (bytes) => told.push(bytes),
      end: () => told.push('end'),
    })
    await following.finish()
    const [skipped, text, end] = told
    expect([skipped, end, told.length]).toEqual([5_000_013 - 32 * 1024, 'end', 3])
    expect(text).toHaveLength(32 * 1024 - 2)
    expect(text).toMatch(/^x+€the latest$/)
  })

  it('rejects from finish, and not before, when the file can not be read', async () => {
    await using folder = await tempWorkspace()
    const told: string[] = []
    const following = followCapture(
      folder.file('gone'),
      toText((text) => told.push(text)),
    )
    await expect(following.finish()).rejects.toMatchObject({ code: 'ENOENT' })
    expect(told).toEqual([])
  })

  it('rejects from finish with what the listener threw, and tells nothing more', async () => {
    await using folder = await tempWorkspace({ out: 'x' })
    const told: string[] = []
    const following = followCapture(
      folder.file('out'),
      toText((text) => {
        told.push(text)
        throw new Error('terminal closed')
      }),
    )
    await waitFor('the text', () => told.length > 0)
    appendFileSync(folder.file('out'), 'y')
    await expect(following.finish()).rejects.toThrow('terminal closed')
    expect(told).toEqual(['x'])
  })
})

function toText(text: CaptureListener['text']): CaptureListener {
  return { text, skipped() {}, end() {} }
}
