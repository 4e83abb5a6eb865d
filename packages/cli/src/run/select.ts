/** Reads the smoke files of a call and takes the smokes that it asks for. */
import { dirname, relative, resolve, sep } from 'node:path'
import { type DeclaredFixture, loadSmokeFile, type SmokeFile, suggestion } from '@loader-smoke/harness/config'
import type { Flags } from '../usage/parse.ts'
import { UsageError } from '../usage/usage-error.ts'
import { findSmokeFiles, whereNoneIs } from './find.ts'

/** A smoke that was declared. */
export interface DeclaredSmoke {
  /** Unique in the call: where two files use one label, the folder is put in front. */
  readonly label: string
  /** Absolute. */
  readonly file: string
  readonly fixture: DeclaredFixture
}

/**
 * The smokes that match one of the filters and one of the labels, of those that are given. Never empty: a call that runs nothing must not look like a pass.
 * @throws UsageError when there is none, or when a label names none; OptionError for a file that is wrong.
 */
export async function selectSmokes(folder: string, labels: readonly string[], flags: Flags): Promise<DeclaredSmoke[]> {
  const given = (flags['config'] as readonly string[] | undefined)?.map((file) => resolve(folder, file))
  const paths = given ?? findSmokeFiles(folder)
  if (paths.length === 0)
    throw new UsageError(`no smoke.config.json, .ts or .mts is in ${folder} or below it.\nNext: ${whereNoneIs(folder)}`)
  const files: SmokeFile[] = []
  // One after the other: a file that ends the process is the one that is named.
  for (const path of paths) files.push(await loadSmokeFile(path))
  const all = withUniqueLabels(files, folder)
  for (const label of labels) if (!all.some((smoke) => matches(label, smoke.label))) throw noSuchLabel(label, all)
  const filters = (flags['filter'] as readonly string[] | undefined) ?? []
  const chosen = all.filter(({ label, file }) => {
    const wanted = labels.length === 0 || labels.some((pattern) => matches(pattern, label))
    const place = slashed(relative(folder, dirname(file)))
    return wanted && (filters.length === 0 || filters.some((pattern) => holds(pattern, label) || holds(pattern, place)))
  })
  if (chosen.length > 0) return chosen
  throw new UsageError(
    `no smoke matches --filter ${filters.join(' --filter ')}; there are ${list(all)}.\nNext: correct the filter.`,
  )
}

function withUniqueLabels(files: readonly SmokeFile[], folder: string): DeclaredSmoke[] {
  const all = files.flatMap(({ path, fixtures }) =>
    fixtures.map((fixture) => ({ file: path, fixture, label: fixture.label })),
  )
  const count = (label: string) => all.filter((smoke) => smoke.label === label).length
  return all.map((smoke) =>
    count(smoke.label) === 1
      ? smoke
      : { ...smoke, label: `${slashed(relative(folder, dirname(smoke.file))) || '.'}:${smoke.label}` },
  )
}

/** Whether the pattern is found anywhere in `text`. */
function holds(pattern: string, text: string): boolean {
  return matches(`*${pattern}*`, text)
}

/** `*` stands for any text, everything else for itself. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text)
}

function noSuchLabel(label: string, all: readonly DeclaredSmoke[]): UsageError {
  const names = all.map((smoke) => smoke.label)
  return new UsageError(
    `no smoke is called ${JSON.stringify(label)}; there are ${list(all)}.${suggestion(label, names)}\nNext: see \`loader-smoke list\`.`,
  )
}

function list(smokes: readonly DeclaredSmoke[]): string {
  return smokes.map(({ label }) => label).join(', ')
}

function slashed(path: string): string {
  return path.replaceAll(sep, '/')
}
