import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runLoaderSmoke } from '@loader-smoke/harness'
import { tempWorkspace } from '@loader-smoke/testkit'
import { afterEach, expect, test, vi } from 'vitest'
import { arena, fixture, program, tsconfigPath } from '../fixtures/fixture.ts'

afterEach(() => vi.unstubAllEnvs())

interface Said {
  readonly cwd: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly execArgv: readonly string[]
  readonly stdin: string
}

test('resolves with both streams whole and the facts of the run', async () => {
  await using world = await arena()
  const result = await runLoaderSmoke(fixture('exits', world, { binArgs: [] }))
  expect(result).toMatchObject({
    stdout: 'out\n',
    stderr: 'err\n',
    truncated: { stdout: null, stderr: null },
    exitCode: 0,
    signal: null,
    mode: 'lib',
    command: [process.execPath, program('exits')],
    turns: [],
    survivors: [],
    keptWorld: null,
    stdoutFile: null,
    stderrFile: null,
  })
  expect(result.durationMs).toBeGreaterThan(0)
  expect(world.entries()).toEqual([])
})

test('runs in a folder of its own with its homes in it; each is private', async () => {
  await using world = await arena()
  const seen: Record<string, number> = {}
  const { stdout } = await runLoaderSmoke(
    fixture('says-where-it-is', world, {
      configPath: '/p/cordis.yml',
      tempDirPrefix: 'my-smoke-',
      homes: { CODEX_HOME: 'deep/.codex' },
      inspect(cwd) {
        for (const name of ['.', '.dsh', '.agents', 'deep/.codex']) seen[name] = statSync(join(cwd, name)).mode & 0o777
      },
    }),
  )
  const said = JSON.parse(stdout) as Said
  expect(said.cwd.startsWith(join(world.path, 'my-smoke-'))).toBe(true)
  expect(said.args).toEqual(['/p/cordis.yml'])
  expect(said.execArgv).toEqual([])
  expect(said.env).toMatchObject({
    DSH_HOME: join(said.cwd, '.dsh'),
    DSH_AGENTS_HOME: join(said.cwd, '.agents'),
    CODEX_HOME: join(said.cwd, 'deep/.codex'),
  })
  expect(seen).toEqual({ '.': 0o700, '.dsh': 0o700, '.agents': 0o700, 'deep/.codex': 0o700 })
  expect(existsSync(said.cwd)).toBe(false)
})

test('a folder of the caller’s is used and left in place; the homes are elsewhere, and gone', async () => {
  await using world = await arena()
  await using mine = await tempWorkspace({ 'mine.txt': 'mine' })
  const { stdout } = await runLoaderSmoke(fixture('says-where-it-is', world, { cwd: mine.path }))
  const said = JSON.parse(stdout) as Said
  expect(said.cwd).toBe(mine.path)
  expect(said.env['DSH_HOME']?.startsWith(world.path)).toBe(true)
  expect(await mine.read('mine.txt')).toBe('mine')
  expect(existsSync(mine.file('.dsh'))).toBe(false)
  expect(existsSync(said.env['DSH_HOME'] ?? '')).toBe(false)
})

test.each([
  [undefined, ''],
  ['text €', 'text €'],
  [new Uint8Array([0, 255, 10]), '\u0000\u00ff\n'],
])('standard input %j arrives as it is', async (stdin, arrived) => {
  await using world = await arena()
  const { stdout } = await runLoaderSmoke(fixture('says-where-it-is', world, { stdin }))
  expect((JSON.parse(stdout) as Said).stdin).toBe(
    Buffer.from(arrived, typeof stdin === 'string' ? 'utf8' : 'latin1').toString('latin1'),
  )
})

test('source mode resolves through the paths map, under the loader', async () => {
  await using world = await arena()
  const { stdout } = await runLoaderSmoke(fixture('uses-the-paths-map', world, { mode: 'src' }))
  expect(stdout).toBe('hello from the source\n')
})

test('source mode takes another loader', async () => {
  await using world = await arena()
  const options = fixture('says-where-it-is', world, { mode: 'src', sourceImport: 'tsx/esm' })
  const { stdout, command } = await runLoaderSmoke(options)
  const said = JSON.parse(stdout) as Said
  expect(said.execArgv).toEqual(['--import', expect.stringMatching(/^file:.*tsx\/dist\/esm\/index\.mjs$/)])
  expect(said.env['TSX_TSCONFIG_PATH']).toBe(tsconfigPath)
  expect(command.slice(0, 3)).toEqual([process.execPath, '--import', said.execArgv[1]])
})

test('built mode is plain Node although this process runs source, behind a proxy', async () => {
  await using world = await arena()
  vi.stubEnv('NODE_OPTIONS', '--conditions=@loader-smoke/source --no-warnings')
  vi.stubEnv('TSX_TSCONFIG_PATH', tsconfigPath)
  vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9')
  vi.stubEnv('npm_config_https_proxy', 'http://127.0.0.1:9')
  vi.stubEnv('MINE', 'inherited')
  vi.stubEnv('GONE', 'inherited')
  const { stdout } = await runLoaderSmoke(fixture('says-where-it-is', world, { env: { GONE: undefined } }))
  const { env } = JSON.parse(stdout) as Said
  expect(env['NODE_OPTIONS']).toBe('--no-warnings')
  expect(env['MINE']).toBe('inherited')
  for (const name of ['TSX_TSCONFIG_PATH', 'HTTPS_PROXY', 'npm_config_https_proxy', 'GONE'])
    expect(env).not.toHaveProperty(name)
})

test('strict passes nothing that was not asked for', async () => {
  await using world = await arena()
  vi.stubEnv('MINE', 'inherited')
  const { stdout } = await runLoaderSmoke(
    fixture('says-where-it-is', world, { envMode: 'strict', env: { ASKED: 'for' } }),
  )
  const { env } = JSON.parse(stdout) as Said
  expect(env).toMatchObject({ ASKED: 'for', PATH: process.env['PATH'] })
  expect(env).not.toHaveProperty('MINE')
  expect(env).not.toHaveProperty('NODE_OPTIONS')
})

test('output is decoded whole: NUL, ANSI, carriage returns, a cut character, no newline added or taken', async () => {
  await using world = await arena()
  const { stdout } = await runLoaderSmoke(fixture('writes-bytes', world))
  expect(stdout).toBe('\u001b[31mred\u0000€\r\n\ufffd')
})

test('prepare fills the folder before the start, inspect sees it after the end', async () => {
  await using world = await arena()
  const calls: string[] = []
  const result = await runLoaderSmoke(
    fixture('writes-files', world, {
      configPath: 'made-by-prepare.yml',
      prepare(cwd) {
        calls.push(`prepare ${existsSync(join(cwd, 'done.txt'))}`)
      },
      async inspect(cwd) {
        calls.push(`inspect ${readFileSync(join(cwd, 'done.txt'), 'utf8')}`)
        await Promise.resolve()
      },
    }),
  )
  expect(result.exitCode).toBe(0)
  expect(calls).toEqual(['prepare false', 'inspect all done'])
})

test.each([
  [{ expectedExitCode: 7, binArgs: ['7'] }, 'exits', { exitCode: 7, signal: null }],
  [{ expectedSignal: 'SIGTERM', binArgs: ['SIGTERM'] }, 'ends-by-signal', { exitCode: null, signal: 'SIGTERM' }],
] as const)('an expected other end passes: %j', async (more, name, ended) => {
  await using world = await arena()
  expect(await runLoaderSmoke(fixture(name, world, more))).toMatchObject(ended)
})

test('the mode of the environment is used when no option names one', async () => {
  await using world = await arena()
  vi.stubEnv('DSH_EXAMPLE_MODE', 'lib')
  const { mode } = await runLoaderSmoke(fixture('exits', world, { mode: undefined, binArgs: [] }))
  expect(mode).toBe('lib')
})

test('a kept folder is named, with the whole streams beside it', async () => {
  await using world = await arena()
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const result = await runLoaderSmoke(fixture('writes-files', world, { keepWorld: 'always' }))
  await using _ = {
    async [Symbol.asyncDispose]() {
      const { rmSync } = await import('node:fs')
      for (const entry of world.entries()) rmSync(join(world.path, entry), { recursive: true })
    },
  }
  expect(said.mock.calls.map(([text]) => text)).toEqual([`writes-files: the world was kept: ${result.keptWorld}\n`])
  said.mockRestore()
  expect(readFileSync(join(result.keptWorld ?? '', 'done.txt'), 'utf8')).toBe('all done')
  expect(readFileSync(result.stdoutFile ?? '', 'utf8')).toBe('')
  expect(world.entries()).toHaveLength(2)
})

test('a stream above 16 MiB is told as head and tail; the file beside the kept folder has all of it', async () => {
  await using folder = await tempWorkspace()
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const result = await runLoaderSmoke(fixture('writes-much', folder, { keepWorld: 'always' }))
  const { stdout, stdoutFile, verdict } = result
  said.mockRestore()
  expect(stdout.startsWith('first\né')).toBe(true)
  expect(stdout.endsWith('é\nlast\n')).toBe(true)
  expect(stdout.includes('\n[... 3222811 of 20000027 bytes left out ...]\n')).toBe(true)
  expect(statSync(stdoutFile ?? '').size).toBe(20_000_027)
  expect(result.truncated).toEqual({ stdout: 20_000_027, stderr: null })
  expect(verdict.facts.stdout).toMatchObject({ bytes: 20_000_027, truncated: true, invalidUtf8: false })
})

test('a stream that an expectation searches is read whole', async () => {
  await using world = await arena()
  const stdout = /^first\né+\nin the middle\né+\nlast\n$/
  const { verdict } = await runLoaderSmoke(fixture('writes-much', world, { expect: { stdout } }))
  expect(verdict.facts.stdout).toMatchObject({ bytes: 20_000_027, truncated: false })
})

test('an expectation is judged on what stands between head and tail, too', async () => {
  await using world = await arena()
  const run = (expect: object) => runLoaderSmoke(fixture('writes-much', world, { expect }))
  await expect(run({ stdout: /^(?![^]*in the middle)/ })).rejects.toThrow(
    /^writes-much wrote no \/\^\(\?!\[\^\]\*in the middle\)\/ to stdout\. /,
  )
  expect((await run({ stdout: 'in the middle' })).truncated).toEqual({ stdout: null, stderr: null })
  await expect(run({ files: [{ path: 'large.txt', content: /^(?![^]*at the end)/ }] })).rejects.toThrow(
    /^writes-much left "large\.txt" with 20000011 bytes, too many to search for /,
  )
})

test('a passing run is not kept for a failure', async () => {
  await using world = await arena()
  expect((await runLoaderSmoke(fixture('exits', world, { keepWorld: 'on-failure', binArgs: [] }))).keptWorld).toBeNull()
  expect(world.entries()).toEqual([])
})
