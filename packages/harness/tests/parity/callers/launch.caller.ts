/** How bins are launched in each mode. */
import {
  EXAMPLE_MODE_ENV,
  type ExampleLaunch,
  type ExampleLaunchOptions,
  type ExampleMode,
  resolveExampleLaunch,
  resolveExampleMode,
} from '@deepseek-ai/dsh-loader-smoke'
import { afterEach, describe, expect, it, vi } from 'vitest'

afterEach(() => vi.unstubAllEnvs())

const base = { srcBin: '/repo/examples/src/acp/src/bin.ts', configArgs: ['/repo/cordis.yml'] } as const

describe('resolveExampleMode', () => {
  it.each<[string | undefined, ExampleMode]>([
    [undefined, 'src'],
    ['', 'src'],
    ['src', 'src'],
    ['lib', 'lib'],
  ])('%j is %s', (raw, mode) => {
    vi.stubEnv(EXAMPLE_MODE_ENV, undefined)
    expect(resolveExampleMode(raw)).toBe(mode)
  })

  it('reads the environment', () => {
    vi.stubEnv(EXAMPLE_MODE_ENV, 'lib')
    expect(resolveExampleMode()).toBe('lib')
  })

  it.each(['dist', 'SRC'])('refuses %j', (raw) => {
    expect(() => resolveExampleMode(raw)).toThrow(`DSH_EXAMPLE_MODE must be 'src' or 'lib', got "${raw}".`)
  })
})

describe('resolveExampleLaunch', () => {
  it.each<[string, ExampleLaunchOptions, Partial<ExampleLaunch>]>([
    [
      'src',
      { ...base, mode: 'src', tsconfigPath: '/repo/tsconfig.json', env: { A: '1' } },
      {
        args: ['--import', expect.stringMatching(/^file:.*tsx/), base.srcBin, '/repo/cordis.yml'],
        env: { A: '1', TSX_TSCONFIG_PATH: '/repo/tsconfig.json' },
      },
    ],
    ['lib', { ...base, mode: 'lib' }, { args: ['/repo/examples/src/acp/lib/bin.js', '/repo/cordis.yml'] }],
    [
      'a built entry of its own',
      { ...base, mode: 'lib', libBin: '/built.js' },
      { args: ['/built.js', '/repo/cordis.yml'] },
    ],
    ['Windows', { srcBin: 'C:\\repo\\acp\\src\\bin.ts', mode: 'lib' }, { args: ['C:\\repo\\acp\\lib\\bin.js'] }],
  ])('%s', (_, options, expected) => {
    vi.stubEnv('NODE_OPTIONS', undefined)
    const { command, args, env } = resolveExampleLaunch(options)
    expect(command).toBe(process.execPath)
    expect({ args, env }).toEqual({ env: { ...options.env }, ...expected })
  })

  it.each<[ExampleLaunchOptions, string]>([
    [{ ...base, mode: 'src' }, "resolveExampleLaunch: 'src' mode needs tsconfigPath for the workspace paths map."],
    [
      { srcBin: '/repo/bin.ts', mode: 'lib' },
      'resolveExampleLaunch: expected a "/src/" segment or Windows equivalent in bin path "/repo/bin.ts".',
    ],
  ])('%j is refused', (options, message) => {
    expect(() => resolveExampleLaunch(options)).toThrow(message)
  })
})
