/**
 * `npm run gen`: writes the JSON Schema of model-replay's script files.
 * `npm run gen -- --check` writes nothing and exits 1 when the file differs.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { scriptSchema } from '@loader-smoke/model-replay'

const file = fileURLToPath(new URL('../packages/model-replay/script.schema.json', import.meta.url))
const wanted = format(JSON.stringify(scriptSchema()))
const current = existsSync(file) ? readFileSync(file, 'utf8') : ''

if (current !== wanted && process.argv.includes('--check')) {
  console.error('packages/model-replay/script.schema.json differs from src/script/schema.ts.\nNext: run `npm run gen`.')
  process.exitCode = 1
} else if (current !== wanted) {
  writeFileSync(file, wanted)
  console.log('wrote packages/model-replay/script.schema.json')
}

function format(json: string): string {
  const formatter = fileURLToPath(new URL('../node_modules/oxfmt/bin/oxfmt', import.meta.url))
  const done = spawnSync(process.execPath, [formatter, `--stdin-filepath=${file}`], { input: json, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`oxfmt ended with ${done.status}: ${done.stderr}`)
  return done.stdout
}
