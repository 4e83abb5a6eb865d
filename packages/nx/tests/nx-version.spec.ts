import { execFile } from 'node:child_process'
import { cp, symlink } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { tempWorkspace } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { refusedNxVersion } from '../src/nx-version.ts'

const refusal = (version: string) =>
  `@loader-smoke/nx needs Nx 23.3 or newer, got ${version}: that one has no way to hash files that git ignores, so it would replay a verdict after one of them changed.\n` +
  'Next: run `nx migrate 23` and what it says, and then this again.'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Sets the plugin up, and runs a task of it. */
const ASK = `
import init from './src/generators/init/generator.ts'
import { paintFor } from './src/executors/smoke/lines.ts'
import { runTask } from './src/executors/smoke/run-task.ts'
const said = []
await init({}, {}).catch(({ message }) => said.push(message))
const context = { root: process.cwd(), projectsConfigurations: { projects: { one: { root: 'one' } } } }
const reporting = { print: (line) => said.push(line), paint: paintFor({}, false), sideBySide: false }
const passed = await runTask({ projectName: 'one', targetName: 'smoke', options: {} }, context, {}, reporting)
console.log(JSON.stringify({ said, passed }))
`

describe('the version of Nx', () => {
  it.each(['23.3.0', '23.3.0-rc.1', '23.10.0', '24.0.6', '25.0.0'])('may be %s', (version) => {
    expect(refusedNxVersion(version)).toBeNull()
  })

  it.each(['22.7.12', '23.2.1', '9.9.9'])('may not be %s', (version) => {
    expect(refusedNxVersion(version)).toBe(refusal(version))
  })

  it('is looked at where the plugin is set up, and by every task', async () => {
    await using temp = await tempWorkspace({
      'package.json': '{ "type": "module", "version": "0.1.0" }',
      'node_modules/nx/package.json': '{ "version": "22.7.12" }',
      'ask.js': ASK,
    })
    await cp(here('../src'), temp.file('src'), { recursive: true })
    for (const name of ['@nx', '@loader-smoke'])
      await symlink(here(`../../../node_modules/${name}`), temp.file('node_modules', name))
    const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@loader-smoke/source', 'ask.js'], {
      cwd: temp.path,
    })
    expect(JSON.parse(stdout)).toEqual({
      said: [refusal('22.7.12'), '✖ one:smoke did not run', ...refusal('22.7.12').split('\n')],
      passed: false,
    })
  })
})
