import { expect, test } from 'vitest'
import { toEnvironment } from '../src/launch/env.ts'

const run = { homes: { DSH_HOME: '/w/.dsh' }, services: {}, report: { LOADER_SMOKE_REPORT: '/r' } }
const base = { mode: 'lib', tsconfigPath: null } as const
const fromRun = { DSH_HOME: '/w/.dsh', LOADER_SMOKE_REPORT: '/r' }

test('proxies are not inherited, in any spelling; what the caller sets is set', () => {
  const inherited = {
    HTTP_PROXY: 'x',
    https_proxy: 'x',
    All_Proxy: 'x',
    NO_PROXY: 'x',
    npm_config_https_proxy: 'x',
    npm_config_noproxy: 'x',
    NPM_CONFIG_PROXY: 'x',
    MY_PROXY_NAME: 'stays',
    A: 'stays',
  }
  expect(toEnvironment({ ...base, env: { mode: 'inherit', inherited, overrides: {} } }, run)).toEqual({
    MY_PROXY_NAME: 'stays',
    A: 'stays',
    ...fromRun,
  })
  const overrides = { HTTP_PROXY: 'http://127.0.0.1:1' }
  expect(toEnvironment({ ...base, env: { mode: 'inherit', inherited, overrides } }, run)).toEqual({
    MY_PROXY_NAME: 'stays',
    A: 'stays',
    HTTP_PROXY: 'http://127.0.0.1:1',
    ...fromRun,
  })
})

test('later sources win: inherited, homes, services, the caller, then the report', () => {
  const spec = {
    ...base,
    env: {
      mode: 'inherit' as const,
      inherited: {
        DSH_HOME: 'inherited',
        URL: 'inherited',
        X: 'inherited',
        GONE: 'inherited',
        LOADER_SMOKE_REPORT: 'outer',
      },
      overrides: { DSH_HOME: 'caller', X: 'caller', GONE: null, LOADER_SMOKE_REPORT: 'caller' },
    },
  }
  expect(toEnvironment(spec, { ...run, services: { URL: 'service', X: 'service' } })).toEqual({
    DSH_HOME: 'caller',
    URL: 'service',
    X: 'caller',
    LOADER_SMOKE_REPORT: '/r',
  })
})

test('the paths map is set in source mode, and never reaches built output', () => {
  const env = { mode: 'inherit' as const, inherited: { TSX_TSCONFIG_PATH: '/outer' }, overrides: {} }
  expect(toEnvironment({ mode: 'src', tsconfigPath: '/t', env }, run)['TSX_TSCONFIG_PATH']).toBe('/t')
  expect(toEnvironment({ ...base, env }, run)).toEqual(fromRun)
})

test('NODE_OPTIONS loses what leads to source in built mode, whoever set it, and is whole in source mode', () => {
  const inherited = { NODE_OPTIONS: '--conditions=@loader-smoke/source --no-warnings' }
  const env = { mode: 'inherit' as const, inherited, overrides: {} }
  expect(toEnvironment({ ...base, env }, run)['NODE_OPTIONS']).toBe('--no-warnings')
  expect(toEnvironment({ mode: 'src', tsconfigPath: '/t', env }, run)['NODE_OPTIONS']).toBe(inherited.NODE_OPTIONS)
  const own = { NODE_OPTIONS: '--conditions=@loader-smoke/source --trace-warnings' }
  expect(toEnvironment({ ...base, env: { ...env, overrides: own } }, run)['NODE_OPTIONS']).toBe('--trace-warnings')
})

test('strict passes only what a program needs, and what the caller sets', () => {
  const inherited = {
    PATH: '/bin',
    HOME: '/h',
    LC_ALL: 'C',
    TZ: 'UTC',
    TMPDIR: '/tmp',
    NODE_OPTIONS: '--no-warnings',
    SECRET: 's',
    PATHEXT: '.EXE',
    systemroot: 'C:',
  }
  const env = { mode: 'strict' as const, inherited, overrides: { SECRET: 'mine' } }
  const posix = { PATH: '/bin', HOME: '/h', LC_ALL: 'C', TZ: 'UTC', TMPDIR: '/tmp', SECRET: 'mine', ...fromRun }
  expect(toEnvironment({ ...base, env }, run, 'linux')).toEqual(posix)
  expect(toEnvironment({ ...base, env }, run, 'win32')).toEqual({ ...posix, PATHEXT: '.EXE', systemroot: 'C:' })
})

test('names that differ in case are one name on Windows, and two elsewhere', () => {
  const env = { mode: 'inherit' as const, inherited: { Path: 'inherited' }, overrides: { PATH: 'caller' } }
  expect(toEnvironment({ ...base, env }, run, 'win32')).toEqual({ PATH: 'caller', ...fromRun })
  expect(toEnvironment({ ...base, env }, run, 'linux')).toEqual({ Path: 'inherited', PATH: 'caller', ...fromRun })
})
