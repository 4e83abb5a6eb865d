/** The options of a declared smoke: the harness' table plus what only Nx has, and the one name of each. */
import { type OptionRow, options, table } from '@loader-smoke/harness/options'

/** Options that exist only on a target of the executor `@loader-smoke/nx:smoke`. */
export const nxOptions = table({
  passEnv: {
    kind: 'strings',
    only: 'declared',
    says: 'Names of your environment that the bin gets although `envMode` is `strict`; their values are part of the cache key.',
  },
  smokeConfig: {
    kind: 'path',
    only: 'declared',
    says: 'A `smoke.config` file whose fixtures are run, instead of a smoke written down in these options; what else is given here is put over each of them.',
    declared: { completion: 'file', completionGlob: '**/smoke.config.{json,ts,mts}' },
  },
  fixture: {
    kind: 'text',
    only: 'declared',
    says: 'The label of the one fixture of `smokeConfig` to run; all of them when it is left out.',
  },
  stream: {
    kind: 'flag',
    only: 'declared',
    says: 'Shows what the bin prints while it runs, line by line, before the verdict; a call with `--stream` is never replayed from the cache.',
    declared: { priority: 'important' },
  },
  inferredMode: {
    kind: 'text',
    only: 'declared',
    says: 'Written by the plugin, not by you: the mode that it took from the environment when it inferred the target.',
    declared: { priority: 'internal' },
  },
})

/** Options as they stand in JSON or come from the command line: under any of their names, unchecked. */
export type GivenOptions = Readonly<Record<string, unknown>>

const rows: readonly (readonly [string, OptionRow])[] = Object.entries<OptionRow>({ ...options, ...nxOptions }).filter(
  ([, row]) => row.only !== 'code',
)

const nameOfAlias = new Map(
  rows.flatMap(([name, row]) => (row.declared?.aliases ?? []).map((alias) => [alias, name] as const)),
)

/** The names a target may use, without aliases, in the order of the table. */
export const optionNames: readonly string[] = rows.map(([name]) => name)

/** The names whose values are paths, relative to the workspace root where they aren't absolute. */
export const pathNames: readonly string[] = rows.filter(([, row]) => row.kind === 'path').map(([name]) => name)

/** The other names that an option may be given under. */
export function aliasesOf(name: string): readonly string[] {
  return rows.find(([row]) => row === name)?.[1].declared?.aliases ?? []
}

/** The options under their own names; where an option is given under its name and an alias, the name wins. */
export function withoutAliases(given: GivenOptions): GivenOptions {
  const named: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(given)) {
    const name = nameOfAlias.get(key)
    if (name !== undefined) named[name] ??= value
    else named[key] = value
  }
  return named
}
