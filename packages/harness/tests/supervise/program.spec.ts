/** What the program under supervision gets and what is told of its end: exactly what a bare start would give, at every level. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { alive, tempWorkspace, waitFor } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { readCapture } from '../../src/observe/capture.ts'
import { probeContainment } from '../../src/supervise/containment.ts'
import { supervise } from '../../src/supervise/supervise.ts'
import type { Ending, SuperviseSpec } from '../../src/supervise/types.ts'
import { levels } from './matrix/cases.ts'

const best = probeContainment()
const offered = levels.slice(levels.indexOf(best as (typeof levels)[number]))

describe.skipIf(process.platform === 'win32').each(offered)('at level %s', (containment) => {
  const run = async (
    argv: readonly string[],
    more: Partial<SuperviseSpec> = {},
  ): Promise<{ ending: Ending; stdout: string; stderr: string }> => {
    await using folder = await tempWorkspace()
    const captureDir = mkdtempSync(folder.file('capture-'))
    const running = await supervise({
      argv,
      cwd: folder.path,
      env: {},
      stdio: 'file',
      graceMs: 1_000,
      captureDir,
      containment,
      ...more,
    })
    const ending = await running.ended
    const [stdout, stderr] = await Promise.all([
      readCapture(running.stdoutFile as string),
      readCapture(running.stderrFile as string),
    ])
    return { ending, stdout: stdout.text, stderr: stderr.text }
  }

  it.each([
    ['exit 0', 0, null],
    ['exit 255', 255, null],
    ['kill -TERM $$', null, 'SIGTERM'],
    ['kill -USR2 $$', null, 'SIGUSR2'],
    ['kill -SEGV $$', null, 'SIGSEGV'],
    ['kill -KILL $$', null, 'SIGKILL'],
  ] as const)('tells how `%s` ended', async (command, exitCode, signal) => {
    const { ending } = await run(['/bin/sh', '-c', command])
    expect(ending).toEqual({
      exitCode,
      signal,
      timedOut: false,
      overflowed: null,
      stopped: false,
      interrupted: null,
      durationMs: expect.any(Number),
      survivors: [],
      containment,
    })
  })

  it('passes arguments and environment byte by byte, and nothing of ours but the cookie', async () => {
    const env = {
      PERL5OPT: '-MNoSuchModule',
      PERL_BADLANG: '1',
      LC_ALL: 'no_such_locale',
      EMPTY: '',
      'a b%%': 'x=y\nz',
      UNICODE: 'é€😀',
    }
    const argv = [
      ...node('process.stdout.write(JSON.stringify([process.argv.slice(1), process.env, process.cwd()]))'),
      'é',
      '',
      'a b',
      '-x',
      '\n',
    ]
    const { stdout, stderr } = await run(argv, { env, cookie: 'the-cookie', cwd: '/' })
    expect(JSON.parse(stdout)).toEqual([['é', '', 'a b', '-x', '\n'], { ...env, LOADER_SMOKE_RUN: 'the-cookie' }, '/'])
    expect(stderr).toBe('')
  })

  it.skipIf(process.platform !== 'linux')(
    'gives no descriptor of the runner, default signals, and a session and a group of its own',
    async () => {
      await using folder = await tempWorkspace()
      const other = spawn('/bin/sleep', ['60'], { stdio: 'pipe' })
      await once(other, 'spawn')
      const running = await supervise({
        argv: ['/bin/sleep', '60'],
        cwd: folder.path,
        env: {},
        stdio: 'pipe',
        graceMs: 0,
        containment,
      })
      const proc = (file: string) => readFileSync(`/proc/${running.pid}/${file}`, 'utf8')
      const [, , group, session] = proc('stat').split(') ')[1]?.split(' ') ?? []
      // What this process was itself given without close-on-exec, a bare start hands on too.
      expect(readdirSync(`/proc/${running.pid}/fd`)).toEqual(readdirSync(`/proc/${other.pid}/fd`))
      expect([group, session]).toEqual([`${running.pid}`, `${running.pid}`])
      expect(proc('status').match(/^Sig(Blk|Ign):.*$/gm)).toEqual([
        'SigBlk:\t0000000000000000',
        'SigIgn:\t0000000000000000',
      ])
      await running.stop()
      other.kill('SIGKILL')
      await once(other, 'exit')
    },
  )

  it('keeps bytes that are no text: NUL, ANSI, invalid and cut UTF-8', async () => {
    const bytes = [0x61, 0x00, 0x1b, 0x5b, 0x31, 0x6d, 0xff, 0xc3, 0x28, 0x0d, 0x0a, 0xe2, 0x82]
    await using folder = await tempWorkspace()
    const code = `process.stdout.write(Buffer.from(${JSON.stringify(bytes)}))`
    const running = await supervise({
      argv: node(code),
      cwd: folder.path,
      env: {},
      stdio: 'file',
      graceMs: 0,
      captureDir: mkdtempSync(folder.file('c-')),
      containment,
    })
    await running.ended
    expect([...readFileSync(running.stdoutFile as string)]).toEqual(bytes)
    expect(await readCapture(running.stdoutFile as string)).toEqual({
      text: 'a\0\u001b[1m\ufffd\ufffd(\r\n\ufffd',
      bytes: 13,
      truncated: false,
      invalidUtf8: true,
    })
  })

  it('keeps the deadline while the event loop of the runner is blocked, and believes a program that ended before it', async () => {
    await using folder = await tempWorkspace()
    const start = (argv: readonly string[]) =>
      supervise({
        argv,
        cwd: folder.path,
        env: {},
        stdio: 'file',
        graceMs: 100,
        deadlineMs: 300,
        captureDir: mkdtempSync(folder.file('c-')),
        containment,
      })
    const late = await start(['/bin/sleep', '60'])
    const early = await start(['/bin/sleep', '0.05'])
    // Past the deadline, the grace, and the runner's own net behind both.
    const blockedUntil = performance.now() + 3_500
    while (performance.now() < blockedUntil && alive([late.pid]).length > 0) continue
    expect(performance.now(), 'the program was to be ended while this loop is blocked').toBeLessThan(blockedUntil)
    while (performance.now() < blockedUntil) continue
    expect(await late.ended).toMatchObject({ timedOut: true, exitCode: null })
    expect(await early.ended).toMatchObject({ timedOut: false, exitCode: 0 })
  })

  it.each([
    ['/nonexistent/program', undefined, /^\/nonexistent\/program was not started: /, 'ENOENT'],
    ['/etc/passwd', undefined, /^\/etc\/passwd was not started: /, 'EACCES'],
    ['true', undefined, /^argv\[0\] must be an absolute path, got 'true'$/, undefined],
    ['/bin/true', '/nonexistent/folder', /^the working folder \/nonexistent\/folder is not a folder$/, undefined],
  ])('says why %s in %s is not started, and leaves nothing', async (program, cwd, message, code) => {
    await using folder = await tempWorkspace()
    const captureDir = mkdtempSync(folder.file('c-'))
    const before = readdirSync('/proc/self/fd').length
    const attempt = supervise({
      argv: [program],
      cwd: cwd ?? folder.path,
      env: {},
      stdio: 'file',
      graceMs: 0,
      captureDir,
      containment,
    })
    await expect(attempt).rejects.toMatchObject({
      stage: 'spawn',
      message: expect.stringMatching(message),
      ...(code && { cause: { code } }),
    })
    await waitFor('descriptors to be closed', () => readdirSync('/proc/self/fd').length <= before)
  })

  it('closes the pipes of a program that has ended, and hears of its end though a grandchild holds them', async () => {
    await using folder = await tempWorkspace()
    const code = `require('node:child_process').spawn('/bin/sleep', ['60'], { stdio: 'inherit' }); process.stdin.once('data', (d) => { process.stdout.write(d); process.exit(4) })`
    const running = await supervise({
      argv: node(code),
      cwd: folder.path,
      env: {},
      stdio: 'pipe',
      graceMs: 0,
      containment,
    })
    const chunks: Buffer[] = []
    running.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
    const closed = once(running.stdout as NonNullable<typeof running.stdout>, 'close')
    running.stdin?.write('ping')
    expect(await running.ended).toMatchObject({ exitCode: 4, survivors: [{ command: '/bin/sleep 60' }] })
    await closed
    expect(String(Buffer.concat(chunks))).toBe('ping')
  })

  it('lets a program run under the longest deadline and grace that the options allow', async () => {
    const longest = { deadlineMs: 2_147_483_647, graceMs: 2_147_483_647 }
    const { ending } = await run(['/bin/sh', '-c', 'sleep 0.3; exit 3'], { env: { PATH: '/usr/bin:/bin' }, ...longest })
    expect(ending).toMatchObject({ exitCode: 3, signal: null, timedOut: false, stopped: false })
  })

  it('lets a stopped program hear that it is to end', async () => {
    await using folder = await tempWorkspace()
    const running = await supervise({
      argv: ['/bin/sh', '-c', 'kill -STOP $$; sleep 60'],
      cwd: folder.path,
      env: {},
      stdio: 'file',
      graceMs: 60_000,
      captureDir: mkdtempSync(folder.file('c-')),
      containment,
    })
    await waitFor('the program to be stopped', () => readFileSync(`/proc/${running.pid}/stat`, 'utf8').includes(') T '))
    expect(await running.stop()).toMatchObject({ stopped: true, signal: 'SIGTERM' })
  })

  it('stops once however often it is asked, and tells a stop that came too late from one that did something', async () => {
    await using folder = await tempWorkspace()
    const start = () =>
      supervise({
        argv: ['/bin/sleep', '60'],
        cwd: folder.path,
        env: {},
        stdio: 'file',
        graceMs: 1_000,
        captureDir: mkdtempSync(folder.file('c-')),
        containment,
      })
    const asked = await start()
    expect(await Promise.all([asked.stop(), asked.stop()])).toEqual([await asked.ended, await asked.ended])
    expect(await asked.stop()).toMatchObject({ stopped: true, signal: 'SIGTERM' })
    const killed = await start()
    process.kill(killed.pid, 'SIGUSR1')
    await killed.ended
    expect(await killed.stop()).toMatchObject({ stopped: false, signal: 'SIGUSR1' })
  })
})

describe.skipIf(best !== 'subreaper')('at level subreaper', () => {
  it('ends what it can reach and calls it an error of ours when helper and guardian are both killed', async () => {
    await using folder = await tempWorkspace()
    const running = await supervise({
      argv: ['/bin/sh', '-c', 'sleep 60 & exec sleep 60'],
      cwd: folder.path,
      env: {},
      stdio: 'file',
      graceMs: 0,
      captureDir: mkdtempSync(folder.file('c-')),
    })
    const helper = parent(running.pid)
    const guardian = parent(helper)
    process.kill(guardian, 'SIGKILL')
    process.kill(helper, 'SIGKILL')
    await expect(running.ended).rejects.toMatchObject({ stage: 'helper' })
    expect(alive([running.pid, helper, guardian])).toEqual([])
  })
})

function node(code: string): readonly string[] {
  return [process.execPath, '-e', code]
}

function parent(pid: number): number {
  return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
}
