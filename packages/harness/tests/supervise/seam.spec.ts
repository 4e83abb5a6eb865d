import { mkdtempSync, writeFileSync } from 'node:fs'
import { processesWith, tempWorkspace } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { readCapture } from '../../src/observe/capture.ts'
import { supervise } from '../../src/supervise/supervise.ts'
import type { SuperviseSpec } from '../../src/supervise/types.ts'

const env = { PATH: process.env['PATH'] ?? '' }
const node = (code: string, ...args: string[]) => [process.execPath, '-e', code, ...args]

describe('supervise', () => {
  it('delivers one megabyte written before process.exit, and the exit code', async () => {
    await using world = await tempWorkspace()
    const run = await supervise({
      ...base(world.path),
      argv: node('process.stdout.write("x".repeat(1e6)); process.exit(3)'),
    })
    const ending = await run.ended
    expect(ending).toMatchObject({ exitCode: 3, signal: null, timedOut: false, stopped: false, survivors: [] })
    expect((await readCapture(run.stdoutFile as string)).bytes).toBe(1e6)
  })

  it('gives the input and then the end of file', async () => {
    await using world = await tempWorkspace()
    const run = await supervise({
      ...base(world.path),
      stdin: 'hé\n',
      argv: node('process.stdin.pipe(process.stdout)'),
    })
    await run.ended
    expect(await readCapture(run.stdoutFile as string)).toEqual({
      text: 'hé\n',
      bytes: 4,
      truncated: false,
      invalidUtf8: false,
    })
  })

  it('ends a program that ignores TERM, with its children, after the deadline and the grace', async () => {
    await using world = await tempWorkspace()
    const program = `trap '' TERM; sleep 60 & exec sleep 60`
    const run = await supervise({
      ...base(world.path),
      deadlineMs: 1_000,
      graceMs: 200,
      cookie: `seam-${world.path}`,
      argv: ['/bin/sh', '-c', program],
    })
    expect(await run.ended).toMatchObject({ exitCode: null, signal: 'SIGKILL', timedOut: true })
    expect(processesWith(`seam-${world.path}`)).toEqual([])
  })

  it('stops a program that writes more than it may', async () => {
    await using world = await tempWorkspace()
    const code = 'setInterval(()=>process.stderr.write("x".repeat(1e5)),5)'
    const run = await supervise({ ...base(world.path), maxOutputBytes: 1e5, argv: node(code) })
    expect(await run.ended).toMatchObject({ overflowed: 'stderr', signal: 'SIGTERM', stopped: false })
  })

  it('talks through pipes and stops when asked', async () => {
    await using world = await tempWorkspace()
    const run = await supervise({
      ...base(world.path),
      stdio: 'pipe',
      argv: node('process.stdin.pipe(process.stdout)'),
    })
    run.stdin?.write('ping')
    const [chunk] = await run.stdout!.take(1).toArray()
    expect(String(chunk)).toBe('ping')
    expect(await run.stop()).toMatchObject({ stopped: true, signal: 'SIGTERM' })
  })

  it('rejects when the program does not exist', async () => {
    await using world = await tempWorkspace()
    await expect(supervise({ ...base(world.path), argv: ['/nonexistent/program'] })).rejects.toMatchObject({
      stage: 'spawn',
      cause: { code: 'ENOENT' },
    })
  })
})

it.runIf(process.platform !== 'win32')(
  'refuses a level that the machine does not offer, and names those it does',
  async () => {
    await using world = await tempWorkspace()
    const argv = [process.execPath, '-e', '']
    await expect(supervise({ ...base(world.path), argv, containment: 'tree' })).rejects.toThrow(
      /^containment must be a level that this machine offers \((?:'[a-z+]+', )*'group'\), got 'tree'\.\nNext: leave containment out for the best of them\.$/,
    )
  },
)

describe('readCapture', () => {
  it('keeps head and tail beyond the bound, cut at characters', async () => {
    await using world = await tempWorkspace({ out: 'é'.repeat(100) })
    const capture = await readCapture(world.file('out'), 41)
    expect(capture).toEqual({
      text: `${'é'.repeat(11)}\n[... 158 of 200 bytes left out ...]\n${'é'.repeat(10)}`,
      bytes: 200,
      truncated: true,
      invalidUtf8: false,
    })
  })

  it('flags bytes that are not UTF-8 and decodes characters across chunk edges', async () => {
    await using world = await tempWorkspace()
    writeFileSync(world.file('bad'), Buffer.from([0x61, 0xff, 0x00, 0x62, 0xe2, 0x82]))
    expect(await readCapture(world.file('bad'))).toEqual({
      text: 'a\ufffd\0b\ufffd',
      bytes: 6,
      truncated: false,
      invalidUtf8: true,
    })
    writeFileSync(world.file('euro'), `a${'€'.repeat(300_000)}`)
    expect(await readCapture(world.file('euro'))).toEqual({
      text: `a${'€'.repeat(300_000)}`,
      bytes: 900_001,
      truncated: false,
      invalidUtf8: false,
    })
  })
})

function base(folder: string): Omit<SuperviseSpec, 'argv'> {
  return { cwd: folder, env, stdio: 'file', graceMs: 2_000, captureDir: mkdtempSync(`${folder}/capture-`) }
}
