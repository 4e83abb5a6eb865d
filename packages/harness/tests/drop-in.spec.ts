/** Callers written for the peer, `@deepseek-ai/dsh-loader-smoke`, run with this package in its place. */
import * as peer from '@deepseek-ai/dsh-loader-smoke'
import * as ours from '@loader-smoke/harness'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { program, tsconfigPath } from './fixtures/fixture.ts'

afterEach(() => vi.unstubAllEnvs())

test('every name that the peer exports is here, with the same constants', () => {
  expect(Object.keys(ours)).toEqual(expect.arrayContaining(Object.keys(peer)))
  expect(ours.EXAMPLE_MODE_ENV).toBe(peer.EXAMPLE_MODE_ENV)
  expect(ours.LOADER_SMOKE_TEST_TIMEOUT_MS).toBe(peer.LOADER_SMOKE_TEST_TIMEOUT_MS)
})

/** What a call gives, or the first line of what it throws. */
function outcome(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    return (error as Error).message.split('\n')[0]
  }
}

test.each([undefined, '', 'src', 'lib', 'lbi', 'LIB', ' lib'])('resolves the mode %j like the peer', (raw) => {
  expect(outcome(() => ours.resolveExampleMode(raw))).toBe(outcome(() => peer.resolveExampleMode(raw)))
})

test.each<peer.ExampleLaunchOptions>([
  { srcBin: '/p/src/bin.ts', mode: 'src', tsconfigPath: '/t.json', configArgs: ['c.yml'] },
  { srcBin: '/p/src/bin.ts', mode: 'src', tsconfigPath: '/t.json', env: { A: 'a', TSX_TSCONFIG_PATH: 'other' } },
  { srcBin: '/p/src/bin.ts', mode: 'src' },
  { srcBin: '/p/src/bin.ts', mode: 'lib', configArgs: ['--config', 'c.yml'], env: { A: 'a' } },
  { srcBin: '/p/src/bin.ts', libBin: '/q/bin.js', mode: 'lib' },
  { srcBin: 'C:\\p\\src\\bin.ts', mode: 'lib' },
  { srcBin: '/p/bin.ts', mode: 'lib' },
  { srcBin: '/p/src/bin.ts', tsconfigPath: '/t.json' },
])('resolves the launch %j like the peer', (options) => {
  vi.stubEnv('NODE_OPTIONS', undefined)
  // toEqual: a name that is there as undefined, so that it is not inherited, counts as absent.
  expect(outcome(() => ours.resolveExampleLaunch(options))).toEqual(outcome(() => peer.resolveExampleLaunch(options)))
})

type Run = (options: peer.LoaderSmokeOptions) => Promise<peer.LoaderSmokeResult>

/** A caller as one writes it for the peer. */
async function callerOf(runLoaderSmoke: Run, name: string, more: Partial<peer.LoaderSmokeOptions> = {}) {
  const seen: string[] = []
  try {
    const { stdout, stderr } = await runLoaderSmoke({
      label: 'acp-agent',
      tempDirPrefix: 'acp-smoke-',
      binScript: program(name),
      configPath: '/abs/cordis.yml',
      binArgs: [],
      tsconfigPath,
      inspect: () => void seen.push('inspected'),
      ...more,
    })
    return { stdout, stderr, seen }
  } catch (error) {
    return { message: (error as Error).message, seen }
  }
}

describe.each(['src', 'lib'] as const)('in mode %s', (mode) => {
  const libBinScript = (name: string) => (mode === 'lib' ? { libBinScript: program(name) } : {})

  test.each<[string, Partial<peer.LoaderSmokeOptions>]>([
    ['exits', {}],
    ['exits', { binArgs: ['7'], expectedExitCode: 7 }],
    ['writes-bytes', {}],
  ])('%s %j passes with the same streams', async (name, more) => {
    const options = { mode, ...libBinScript(name), ...more }
    const expected = await callerOf(peer.runLoaderSmoke, name, options)
    expect(expected).toHaveProperty('stdout')
    expect(await callerOf(ours.runLoaderSmoke, name, options)).toEqual(expected)
  })

  test.each<[string, Partial<peer.LoaderSmokeOptions>]>([
    ['exits', { binArgs: ['7'] }],
    ['exits', { binArgs: ['0'], expectedExitCode: 7 }],
  ])('%s %j fails with a message that begins with the peer’s', async (name, more) => {
    const options = { mode, ...libBinScript(name), ...more }
    const expected = await callerOf(peer.runLoaderSmoke, name, options)
    const got = await callerOf(ours.runLoaderSmoke, name, options)
    expect(got.seen).toEqual([])
    expect(got.message?.slice(0, expected.message?.length)).toBe(expected.message)
  })

  test('a hang fails with a message that begins with the peer’s', async () => {
    const options = { mode, ...libBinScript('hangs'), processTimeoutMs: 1500 }
    const expected = await callerOf(peer.runLoaderSmoke, 'hangs', options)
    const got = await callerOf(ours.runLoaderSmoke, 'hangs', options)
    // What it had written by then depends on the machine: the first line alone is compared.
    expect(expected.message?.split('\n')[0]).toBe('acp-agent did not exit within 1.5s. stdout:')
    expect(got.message?.split('\n')[0]).toBe(expected.message?.split('\n')[0])
    expect(got.seen).toEqual([])
  })
})
