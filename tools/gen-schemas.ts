/**
 * `npm run gen`: writes what is derived from the table of options: the options' type, the Nx executor's schema and the tables in the READMEs.
 * `npm run gen -- --check` writes nothing and exits 1 when a file differs.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { options } from '@loader-smoke/harness/options'
import { nxOptions } from '../packages/nx/src/declared/names.ts'
import { betweenMarkers } from './gen/between-markers.ts'
import { toExecutorSchema } from './gen/executor-schema.ts'
import { type Reader, toOptionTable } from './gen/option-table.ts'
import { toOptionTypes } from './gen/option-types.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A file that is generated, whole or in part. */
interface Generated {
  /** Relative to the repository. */
  readonly path: string
  /** The content it must have, given the one it has. */
  content(current: string): string
}

const readme = (path: string, reader: Reader, rows: typeof options | typeof targetOptions): Generated => ({
  path,
  content: (current) => betweenMarkers(current, 'options', toOptionTable(rows, reader)),
})

const targetOptions = { ...options, ...nxOptions }

const files: readonly Generated[] = [
  {
    path: 'packages/nx/src/executors/smoke/schema.json',
    content: () => `${JSON.stringify(toExecutorSchema(targetOptions), null, 2)}\n`,
  },
  { path: 'packages/harness/src/config/generated/loader-smoke-options.ts', content: () => toOptionTypes(options) },
  readme('README.md', 'both', targetOptions),
  readme('packages/harness/README.md', 'code', options),
  readme('packages/nx/README.md', 'declared', targetOptions),
]

/** Each generated file with the content it must have, formatted like every other file of this repository. */
export function generate(): { readonly path: string; readonly current: string; readonly wanted: string }[] {
  return files.flatMap(({ path, content }) => {
    const file = join(root, path)
    const current = existsSync(file) ? readFileSync(file, 'utf8') : ''
    // A README that its package does not have yet has no markers to fill.
    if (current === '' && path.endsWith('.md')) return []
    return { path, current, wanted: path.includes('/generated/') ? content(current) : format(path, content(current)) }
  })
}

/** `content` as the formatter of this repository leaves it in a file at `path` (relative to the repository). */
export function format(path: string, content: string): string {
  const formatter = fileURLToPath(new URL('../node_modules/oxfmt/bin/oxfmt', import.meta.url))
  const args = [formatter, `--stdin-filepath=${join(root, path)}`]
  const done = spawnSync(process.execPath, args, { input: content, encoding: 'utf8', cwd: root })
  if (done.status !== 0) throw new Error(`oxfmt ended with ${done.status} on ${path}: ${done.stderr}`)
  return done.stdout
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const check = process.argv.includes('--check')
  const drifted = generate().filter(({ current, wanted }) => current !== wanted)
  for (const { path, wanted } of drifted) {
    if (!check) writeFileSync(join(root, path), wanted)
    console.log(check ? `${path} differs from the table of options.` : `wrote ${path}`)
  }
  if (check && drifted.length > 0) {
    console.log('Next: run `npm run gen` and commit what it writes.')
    process.exitCode = 1
  }
  if (drifted.length === 0) console.log('Every generated file is up to date.')
}
