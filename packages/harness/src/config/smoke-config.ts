/** The shape of a `smoke.config` file: the option table as it is written there, and the one name of each option. */
import {
  type DeclaredSmokeOptions,
  type LoaderSmokeOptions,
  type OptionName,
  type OptionRow,
  options,
  table,
} from './options.ts'

/** What a smoke has only where it is declared in a file. */
export const fixtureOnlyOptions = table({
  passEnv: {
    kind: 'strings',
    only: 'declared',
    says: 'Names of your environment that the bin gets although `envMode` is `strict`.',
  },
})

type Table = typeof options

type AliasOf<Name extends OptionName> = Table[Name] extends {
  readonly declared: { readonly aliases: readonly (infer Alias extends string)[] }
}
  ? Alias
  : never

/** Options that a file can hold only as code (`smoke.config.ts`): they are functions. */
export type CodeOptionName = 'prepare' | 'inspect' | 'services'

/** One fixture under the options' own names. */
export type FixtureOptions = DeclaredSmokeOptions &
  Pick<LoaderSmokeOptions, CodeOptionName> & { readonly passEnv?: readonly string[] | undefined }

/** One fixture as it is written: each option under its own name or a shorter one (`bin`, `config`, `tsConfig`, `args`, `libBin`, `timeout`). */
export type SmokeFixture = FixtureOptions & {
  readonly [Name in OptionName as AliasOf<Name>]?: Name extends keyof DeclaredSmokeOptions
    ? DeclaredSmokeOptions[Name]
    : never
}

/** A `smoke.config` file: one fixture, or several in `fixtures`; what stands beside `fixtures` holds for each that doesn't say otherwise. */
export type SmokeConfig = SmokeFixture & {
  readonly $schema?: string
  readonly fixtures?: readonly SmokeFixture[]
}

/** Gives a `smoke.config.ts` its types: `export default defineSmokeConfig({ … })`. Returns what it is given. */
export function defineSmokeConfig(config: SmokeConfig): SmokeConfig {
  return config
}

const CODE_OPTIONS: ReadonlySet<string> = new Set<CodeOptionName>(['prepare', 'inspect', 'services'])

/** The rows of a fixture in a file, by name, in the order of the table. */
export const fixtureRows: Readonly<Record<string, OptionRow>> = Object.fromEntries(
  Object.entries<OptionRow>({ ...options, ...fixtureOnlyOptions }).filter(
    ([name, row]) => row.only !== 'code' || CODE_OPTIONS.has(name),
  ),
)

/** Shorter name → own name. */
export const ownNames: ReadonlyMap<string, string> = new Map(
  Object.entries(fixtureRows).flatMap(([name, row]) =>
    (row.declared?.aliases ?? []).map((alias): [string, string] => [alias, name]),
  ),
)
