/** The smokes that are written down as targets, in a project.json or in the `nx` part of a package.json. Pure. */
import { basename } from 'node:path'
import type { NxJsonConfiguration, TargetConfiguration } from '@nx/devkit'
import { type GivenOptions, withoutAliases } from '../declared/names.ts'

/** The executor as targets name it. */
export const SMOKE_EXECUTOR = '@loader-smoke/nx:smoke'

/** A target of our executor, as far as inference reads it. */
export interface DeclaredTarget {
  readonly name: string
  /** With the workspace's `targetDefaults` below them, and without aliases. */
  readonly options: GivenOptions
  /** As written, but without aliases. */
  readonly configurations: Readonly<Record<string, GivenOptions>>
  readonly defaultConfiguration: string | undefined
}

/** A project's file, as far as it matters here. */
export interface DeclaringFile {
  /** Relative to the workspace root; forward slashes. */
  readonly path: string
  readonly content: unknown
}

/** The targets of our executor in a project.json or package.json, and every target name of the file. */
export function declaredTargets(
  { path, content }: DeclaringFile,
  nxJson: NxJsonConfiguration,
): { readonly smokes: readonly DeclaredTarget[]; readonly names: ReadonlySet<string> } {
  const targets = targetsOf(path, content)
  const smokes = Object.entries(targets)
    .filter(([, target]) => target.executor === SMOKE_EXECUTOR)
    .map(([name, target]) => ({
      name,
      options: { ...defaultOptions(name, nxJson), ...withoutAliases(target.options ?? {}) },
      configurations: Object.fromEntries(
        Object.entries(target.configurations ?? {}).map(([key, options]) => [
          key,
          withoutAliases((options ?? {}) as GivenOptions),
        ]),
      ),
      defaultConfiguration: target.defaultConfiguration,
    }))
  return { smokes, names: new Set(Object.keys(targets)) }
}

/** Options that the workspace's `targetDefaults` give to a target: those of its name, else those of its executor. Entries that are filtered by project or plugin aren't looked at. */
export function defaultOptions(name: string, { targetDefaults = {} }: NxJsonConfiguration): GivenOptions {
  const found = targetDefaults[SMOKE_EXECUTOR] ?? targetDefaults[name]
  const entries = found === undefined ? [] : Array.isArray(found) ? found : [found]
  const options: Record<string, unknown> = {}
  for (const entry of entries)
    if (entry.filter === undefined) Object.assign(options, withoutAliases(entry.options ?? {}))
  return options
}

/** The name that Nx gives the project at `root`, whose project.json and package.json have these contents, in this order. */
export function projectName([projectJson, packageJson]: readonly unknown[], root: string): string {
  const manifest = toRecord(packageJson)
  const given = [toRecord(projectJson)['name'], toRecord(manifest['nx'])['name'], manifest['name']]
  const name = given.find((one) => typeof one === 'string' && one !== '')
  return typeof name === 'string' ? name : basename(root).toLowerCase()
}

function targetsOf(path: string, content: unknown): Readonly<Record<string, TargetConfiguration>> {
  const file = toRecord(content)
  const targets = toRecord(path.endsWith('package.json') ? toRecord(file['nx'])['targets'] : file['targets'])
  return Object.fromEntries(
    Object.entries(targets).filter(([, target]) => typeof target === 'object' && target !== null),
  ) as Record<string, TargetConfiguration>
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}
