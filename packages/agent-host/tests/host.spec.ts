import { describe, expect, it } from 'vitest'
import { toArgv } from '../src/host/command.ts'
import { openCommand, openUrl } from '../src/host/open-url.ts'
import { fileNames, npmProgramFolders } from '../src/host/program-folders.ts'

/** What npm writes. */
const shim = () => '@ECHO off\r\n"%_prog%"  "%dp0%\\..\\@openai\\codex\\bin\\codex.js" %*\r\n'

describe('the command for a program', () => {
  const linux = { platform: 'linux', node: '/n/node', read: shim } as const
  const windows = { platform: 'win32', node: 'C:\\n\\node.exe', read: shim } as const
  it.each([
    ['is the program itself', linux, { path: '/b/codex', realPath: '/b/codex' }, ['/b/codex', 'app-server']],
    [
      'starts a script of Node with our own Node',
      linux,
      { path: '/b/codex', realPath: '/p/bin/codex.js' },
      ['/n/node', '/p/bin/codex.js', 'app-server'],
    ],
    [
      'starts the script behind a shim of npm on Windows',
      windows,
      { path: 'C:\\w\\node_modules\\.bin\\codex.cmd', realPath: 'C:\\w\\node_modules\\.bin\\codex.cmd' },
      ['C:\\n\\node.exe', 'C:\\w\\node_modules\\@openai\\codex\\bin\\codex.js', 'app-server'],
    ],
    ['is an .exe itself', windows, { path: 'C:\\b\\c.exe', realPath: 'C:\\b\\c.exe' }, ['C:\\b\\c.exe', 'app-server']],
  ])('%s', (_title, place, located, argv) => {
    expect(toArgv(located, ['app-server'], place)).toEqual(argv)
  })
})

it('refuses a script of the Windows command processor that npm did not make', () => {
  const place = { platform: 'win32', node: 'C:\\n\\node.exe', read: () => 'echo %1' } as const
  expect(() => toArgv({ path: 'C:\\b\\c.cmd', realPath: 'C:\\b\\c.cmd' }, [], place)).toThrow(
    new Error(
      'C:\\b\\c.cmd is a script of the Windows command processor (expected an .exe, or a program that npm installed)',
    ),
  )
})

describe('the names of a program', () => {
  it('are those of PATHEXT on Windows, unless it has an ending', () => {
    expect(fileNames('codex', 'win32', '.EXE;.CMD')).toEqual(['codex.exe', 'codex.cmd'])
    expect(fileNames('codex.exe', 'win32')).toEqual(['codex.exe'])
    expect(fileNames('codex', 'linux')).toEqual(['codex'])
  })

  it('are looked for where npm puts them, from the folder upwards', () => {
    expect(npmProgramFolders('/w/app')).toEqual([
      '/w/app/node_modules/.bin',
      '/w/node_modules/.bin',
      '/node_modules/.bin',
    ])
  })
})

describe('a page', () => {
  it.each([
    ['darwin', {}, ['open', 'https://a']],
    ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler', 'https://a']],
    ['linux', { DISPLAY: ':0' }, ['xdg-open', 'https://a']],
    ['linux', {}, null],
  ] as const)('is opened on %s with %o by %o', (platform, env, command) => {
    expect(openCommand('https://a', platform, env)).toEqual(command)
  })

  it.each([
    ['javascript:alert(1)', {}, 'only http and https pages are opened'],
    ['not a url', {}, 'only http and https pages are opened'],
    ['https://a', { CI: 'true' }, 'nobody watches a smoke or a CI run'],
    ['https://a', { LOADER_SMOKE_REPORT: '/r' }, 'nobody watches a smoke or a CI run'],
  ])('is not opened: %s with %o', async (url, env, reason) => {
    expect(await openUrl(url, env)).toEqual({ opened: false, reason })
  })
})
