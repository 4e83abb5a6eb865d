/** `loader-smoke init`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { findSmokeFile } from '@loader-smoke/harness/config'
import { EXIT } from '../exit-code.ts'
import { ignoresAbove, nearestTurbo } from '../init/find-turbo.ts'
import { newSmokeConfig, TURBO_TASKS, withIgnored, withScripts, withTurboTasks } from '../init/edit.ts'
import type { Flags } from '../usage/parse.ts'
import { UsageError } from '../usage/usage-error.ts'

const BINS = ['src/bin.ts', 'src/main.ts', 'src/index.ts', 'src/bin.mts', 'src/bin.js', 'src/main.js']
const CONFIGS = ['cordis.yml', 'cordis.yaml']

/** A file as it shall be. */
interface Change {
  readonly path: string
  readonly content: string
}

/**
 * Writes what is missing; what is there stays, so it may be called again.
 * @throws UsageError without a package.json or an entry point, before anything is written.
 */
export async function init(flags: Flags): Promise<number> {
  const folder = process.cwd()
  const { changes, notes } = planChanges(folder, flags)
  for (const { path, content } of changes) {
    if (!flags['dry-run']) writeFileSync(path, content)
    process.stdout.write(`${flags['dry-run'] ? 'would write' : 'wrote'} ${relative(folder, path) || path}\n`)
  }
  for (const note of notes) process.stdout.write(`${note}\n`)
  process.stdout.write(changes.length === 0 ? 'Nothing to write: everything is there.\n' : '')
  process.stdout.write(
    'Next: let the bin call runFixtureTurn of @loader-smoke/turn with its last argument, the task; then `npx loader-smoke run`.\n',
  )
  return EXIT.pass
}

function planChanges(folder: string, flags: Flags): { readonly changes: Change[]; readonly notes: string[] } {
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest))
    throw new UsageError(`${folder} has no package.json.\nNext: call init in the folder of the package.`)
  const changes: Change[] = []
  const notes: string[] = []
  const add = (path: string, edit: (text: string) => string | null, otherwise: string) => {
    try {
      const content = edit(existsSync(path) ? readFileSync(path, 'utf8') : '')
      if (content !== null) changes.push({ path, content })
    } catch (error) {
      // The edits throw only for text that is no plain JSON: a file with comments stays as its owner wrote it.
      if (!(error instanceof SyntaxError)) throw error
      notes.push(`${relative(folder, path)} is no plain JSON, so it stays as it is. ${otherwise}`)
    }
  }
  if (findSmokeFile(folder) === undefined)
    changes.push({ path: join(folder, 'smoke.config.json'), content: newSmokeConfig(newFixture(folder, flags)) })
  add(manifest, withScripts, 'Add the scripts smoke and smoke:lib.')
  const turbo = nearestTurbo(folder)
  // turbo writes its log of a task into the package, where it would be part of the task's own key: no second run would come from the cache.
  const ignored = turbo === null || ignoresAbove(folder, dirname(turbo), '.turbo') ? ['.smoke'] : ['.smoke', '.turbo']
  add(join(folder, '.gitignore'), (text) => withIgnored(text, ignored), '')
  if (turbo !== null) add(turbo, withTurboTasks, `Add these tasks: ${JSON.stringify(TURBO_TASKS)}`)
  return { changes, notes }
}

function newFixture(folder: string, flags: Flags) {
  const bin = chosen(folder, '--bin', flags['bin'], BINS)
  if (bin === undefined)
    throw new UsageError(
      `no entry point is in ${folder}: looked for ${BINS.join(', ')}.\nNext: name it with --bin, relative to the package.`,
    )
  const config = chosen(folder, '--config', flags['config'], CONFIGS)
  return {
    schema: schemaFrom(folder),
    label: labelFor(folder),
    bin,
    ...(config !== undefined && { config }),
    ...(flags['task'] !== undefined && { task: String(flags['task']) }),
  }
}

/** Where the harness is installed, which may be above the package; where it isn't yet, the place it usually gets. */
function schemaFrom(folder: string): string {
  const place = join('node_modules', '@loader-smoke', 'harness', 'smoke-config.schema.json')
  for (let at = folder; ; at = dirname(at)) {
    const isTop = dirname(at) === at
    if (!existsSync(join(at, place)) && !isTop) continue
    const path = (isTop ? place : relative(folder, join(at, place))).replaceAll(sep, '/')
    return path.startsWith('.') ? path : `./${path}`
  }
}

/** The package's name without its scope, which no folder could hold; without a name, the folder's. */
function labelFor(folder: string): string {
  try {
    const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly name?: unknown }
    if (typeof name === 'string' && name !== '') return name.replace(/^@[^/]*\//, '')
  } catch {
    // No JSON: the edit of its scripts tells so.
  }
  return basename(folder)
}

function chosen(folder: string, flag: string, given: Flags[string], usual: readonly string[]): string | undefined {
  if (given === undefined) return usual.find((name) => existsSync(join(folder, name)))
  const path = String(given)
  if (!existsSync(resolve(folder, path)))
    throw new UsageError(
      `${flag} must be an existing file, got ${JSON.stringify(path)}.\nNext: correct it; it is relative to ${folder}.`,
    )
  return path
}
