/** Installers: which one owns a program, what is newest, how it is updated. */
import { checkMaintenance, clearCache, update } from '@loader-smoke/agent-sdk/maintenance'
import { type FakeApi, fakeApi } from '@loader-smoke/agent-sdk/testing'
import { beforeEach, expect, test } from 'vitest'

const maintained = { program: 'tool', npmPackage: '@scope/tool', homebrewCask: 'tool', installedVersion: '1.0.0' }
beforeEach(clearCache)

/** A host on which the tool is at `realPath`, and whose installers print `stdout` and exit. */
function host(realPath: string | null, stdout = '', code = 0): FakeApi {
  const api = fakeApi({
    onSpawn: () => () => {},
    onHost: () => (realPath === null ? {} : { path: '/bin/tool', realPath }),
  })
  const spawn = api.process.spawn
  api.process.spawn = async (program, args, options) => {
    const child = await spawn(program, args, options)
    const peer = api.peers.at(-1)
    queueMicrotask(() => {
      peer?.stdout.push(stdout)
      peer?.exit(code)
    })
    return child
  }
  return api
}

test.for([
  [
    '/usr/local/lib/node_modules/@scope/tool/bin/tool.js',
    ['npm', 'view', '@scope/tool', 'version', '--prefix', '/usr/local'],
  ],
  [
    'C:\\Users\\me\\AppData\\Roaming\\npm\\node_modules\\@scope\\tool\\bin\\tool.js',
    ['npm', 'view', '@scope/tool', 'version', '--prefix', 'C:/Users/me/AppData/Roaming/npm'],
  ],
  ['/opt/homebrew/Caskroom/tool/1.0.0/tool', ['brew', 'info', '--json=v2', '--cask', 'tool']],
] as const)('%s is asked about with its own installer', async ([realPath, command]) => {
  const api = host(realPath, '2.0.0\n')
  await checkMaintenance(api, maintained)
  expect(api.peers.map(({ program, args }) => [program, ...args])).toEqual([command])
})

test.for([
  '/usr/local/bin/tool',
  '/repo/node_modules/@scope/tool/bin/tool.js',
  '/x/lib/node_modules/@scope/toolbox/t.js',
  '/lib/node_modules/@scope/tool/t.js',
])('%s proves no installer, and nothing is run', async (realPath) => {
  const api = host(realPath)
  expect(await checkMaintenance(api, maintained)).toEqual({ canUpdate: false, installedVersion: '1.0.0' })
  expect(api.peers).toEqual([])
  await expect(update(api, maintained)).rejects.toThrow(
    'tool was installed in a way that is not recognised, so it is not updated from here; run `npm install --global @scope/tool@latest`, or use the installer it came from',
  )
})

test('a program that is not there has no installer', async () => {
  expect(await checkMaintenance(host(null), maintained)).toEqual({ canUpdate: false, installedVersion: '1.0.0' })
})

test('the latest version is asked for once, until the cache is cleared', async () => {
  const api = host('/usr/lib/node_modules/@scope/tool/t.js', '2.1.0-rc.1\n')
  const told = { canUpdate: true, installedVersion: '1.0.0', latestVersion: '2.1.0-rc.1', manager: 'npm' }
  expect(await Promise.all([checkMaintenance(api, maintained), checkMaintenance(api, maintained)])).toEqual([
    told,
    told,
  ])
  expect(api.peers).toHaveLength(1)
  clearCache()
  await checkMaintenance(api, maintained)
  expect(api.peers).toHaveLength(2)
})

test.for([
  ['exits with an error', '2.0.0\n', 1],
  ['prints something else', 'npm warn config\n', 0],
] as const)('an installer that %s leaves the latest version out, and is asked again', async ([, stdout, code]) => {
  const api = host('/usr/lib/node_modules/@scope/tool/t.js', stdout, code)
  const told = { canUpdate: true, installedVersion: '1.0.0', manager: 'npm' }
  expect(await checkMaintenance(api, maintained)).toEqual(told)
  expect(await checkMaintenance(api, maintained)).toEqual(told)
  expect(api.peers).toHaveLength(2)
})

test('an installer that cannot be started leaves the latest version out', async () => {
  const api = host('/usr/lib/node_modules/@scope/tool/t.js')
  api.process.spawn = async () => {
    throw new Error('npm is not on the PATH')
  }
  expect(await checkMaintenance(api, maintained)).toEqual({
    canUpdate: true,
    installedVersion: '1.0.0',
    manager: 'npm',
  })
})

test('Homebrew tells its latest version as JSON', async () => {
  const api = host(
    '/opt/homebrew/Caskroom/tool/1.0.0/tool',
    '{"formulae":[],"casks":[{"token":"tool","version": "3.0.1"}]}',
  )
  expect(await checkMaintenance(api, maintained)).toMatchObject({ latestVersion: '3.0.1', manager: 'homebrew' })
})

test('an update runs the owning installer, and says which command went wrong', async () => {
  const good = host('/usr/lib/node_modules/@scope/tool/t.js')
  await update(good, maintained)
  expect(good.peers.map(({ program, args }) => [program, ...args])).toEqual([
    ['npm', 'install', '--global', '@scope/tool@latest', '--prefix', '/usr'],
  ])
  await expect(update(host('/usr/lib/node_modules/@scope/tool/t.js', '', 243), maintained)).rejects.toThrow(
    '`npm install --global @scope/tool@latest --prefix /usr` exited 243 (expected 0); run it in a terminal to see why',
  )
})

test('an update makes the next check ask again', async () => {
  const api = host('/usr/lib/node_modules/@scope/tool/t.js', '2.0.0\n')
  await checkMaintenance(api, maintained)
  await update(api, maintained)
  await checkMaintenance(api, maintained)
  expect(api.peers.map(({ args }) => args[0])).toEqual(['view', 'install', 'view'])
})
