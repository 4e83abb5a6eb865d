import { symlink } from 'node:fs/promises'
import { fileView } from '@loader-smoke/harness/config'
import { tempWorkspace } from '@loader-smoke/testkit'
import { expect, it } from 'vitest'
import { codeReach } from '../src/plugin/code-reach.ts'

const smokes = "export default { bin: 'src/bin.ts' }\n"

async function reach(code: string): Promise<readonly string[] | undefined> {
  await using folder = await tempWorkspace({
    'smoke.config.mts': `${code}\n${smokes}`,
    'plain.mts': 'export const word = process.env.WORD',
    'clock.mts': 'export const now = Date.now()',
    'data.json': JSON.stringify({ text: 'Date.now()' }),
    'bin.ts': 'console.log(process.argv, Date.now())',
    'cordis.yml': '# what the process reads: Date',
  })
  return codeReach(folder.file('smoke.config.mts'), fileView())
}

it.each<[string, readonly string[]]>([
  ['', []],
  ["import { defineSmokeConfig } from '@loader-smoke/harness/config'", []],
  ["import { modelService } from '@loader-smoke/model-replay'", []],
  ["import { join } from 'node:path'\nimport { fileURLToPath } from 'url'", []],
  ['const mode = process.env.MY_MODE ?? process.env["OTHER"] ?? process.env[\'THIRD\']', ['MY_MODE', 'OTHER', 'THIRD']],
  ["const cli = process.platform === 'win32' ? 'a.cmd' : 'a'", []],
  ['const here = import.meta.dirname + import.meta.url', []],
  ["import { word } from './plain.mts'", ['WORD']],
  ["import data from './data.json' with { type: 'json' }", []],
  ["const { word } = await import('./plain.mts')", ['WORD']],
  ["import { appendFileSync } from 'node:fs'\nappendFileSync('log', '')", []],
  ['const half = Math.round(5 / 2)', []],
  ["const options = { bin: './bin.ts', config: './cordis.yml', prompts: '../prompts' }", []],
  ['const options = { processTimeoutMs: 5_000, expect: { output: /updated/ } }', []],
])('%s depends on its text and the names %j alone', async (code, names) => {
  expect(await reach(code)).toEqual(names)
})

it.each([
  "import { readdirSync } from 'node:fs'",
  "import { appendFileSync, readFileSync } from 'node:fs'",
  "import fs from 'node:fs'",
  "import * as fs from 'fs'",
  "import { readFile } from 'node:fs/promises'",
  "import { readFile } from 'fs/promises'",
  "import { execSync } from 'node:child_process'",
  "import { env } from 'node:process'",
  "import os from 'os'",
  "import { fixtures } from '@acme/fixtures'",
  "import 'dotenv/config'",
  "export * from 'somewhere'",
  "import missing from './missing.mts'",
  "import './clock.mts'",
  'const { A } = process.env',
  'const all = { ...process.env }',
  'const one = process.env[name]',
  'const here = process.cwd()',
  "process.loadEnvFile('.env')",
  'const now = new Date()',
  'const some = Math.random()',
  'const { random } = Math',
  "const some = Math['random']()",
  'const words = names.toSorted((a, b) => a.localeCompare(b))',
  "const text = localStorage.getItem('label')",
  "const got = await fetch('http://127.0.0.1/')",
  "const where = import.meta.resolve('x')",
  'const env = import.meta.env',
  "const where = import.meta['resolve']('x')",
  'const { resolve } = import.meta',
  'const more = await import(`./${name}.mts`)',
  'const more = await import(name)',
  "const fs = require('node:fs')",
  "const all = globalThis['process']",
])('%s may depend on anything', async (code) => {
  expect(await reach(code)).toBeUndefined()
})

it('follows what a linked file imports from where it really lies', async () => {
  await using folder = await tempWorkspace({
    'app/word.mts': 'export const word = process.env.BESIDE_THE_LINK',
    'shared/smokes.mts': `import { word } from './word.mts'\n${smokes}`,
    'shared/word.mts': 'export const word = process.env.WORD',
  })
  await symlink('../shared/smokes.mts', folder.file('app/smoke.config.mts'))
  expect(codeReach(folder.file('app/smoke.config.mts'), fileView())).toEqual(['WORD'])
})

it('may depend on anything once an import has another text than this process imported', async () => {
  await using folder = await tempWorkspace({
    'smoke.config.mts': `import './clock.mts'\nimport './label.mts'\n${smokes}`,
    'clock.mts': 'export const now = Date.now()',
    'label.mts': '1',
  })
  const reachNow = () => codeReach(folder.file('smoke.config.mts'), fileView())
  expect(reachNow()).toBeUndefined()
  await folder.write('smoke.config.mts', `import './label.mts'\n${smokes}`)
  expect(reachNow()).toEqual([])
  await folder.write('label.mts', '2')
  expect(reachNow()).toBeUndefined()
  await folder.write('label.mts', '1')
  expect(reachNow()).toEqual([])
})
