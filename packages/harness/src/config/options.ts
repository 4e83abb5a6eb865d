/**
 * THE table of options: every name, its kind, range, default and sentence, once.
 *
 * The option types, the checks at run time, the Nx executor's `schema.json` and the tables in the READMEs are derived from it (`npm run gen`).
 * A plain table, so that reading it costs nothing at run time.
 */
import type { DeclaredModel } from './declared-model.ts'
import type { Expectations, TextMatch, TurnExpectation } from './expectations.ts'
import type { RerunCommand, SmokeService } from './services.ts'

/** What a value of each kind is, in TypeScript. */
interface ValueOfKind {
  readonly text: string
  readonly path: string
  readonly integer: number
  readonly flag: boolean
  readonly signalName: NodeJS.Signals
  readonly strings: readonly string[]
  readonly environment: Readonly<Record<string, string | null | undefined>>
  readonly folders: Readonly<Record<string, string>>
  readonly input: string | Uint8Array
  readonly turn: TurnExpectation
  readonly expect: Expectations
  readonly secrets: readonly TextMatch[]
  readonly model: DeclaredModel
  readonly hook: (cwd: string) => Promise<void> | void
  readonly listener: (stream: 'stdout' | 'stderr', text: string) => void
  readonly abort: AbortSignal
  readonly services: readonly SmokeService[]
  readonly rerun: RerunCommand
}

/** How an option appears where a smoke is declared in JSON, beside what the row says anyway. */
export interface DeclaredForm {
  /** Further names that the executor's schema accepts. */
  readonly aliases?: readonly string[]
  readonly priority?: 'important' | 'internal'
  readonly completion?: 'file' | 'directory'
  readonly completionGlob?: string
  /** The default there, when it is another one than in code. */
  readonly default?: string | number
  /** True when it need not be given there although code must give it: the executor fills it in. */
  readonly filledIn?: true
}

/** One option. */
export interface OptionRow {
  readonly kind: keyof ValueOfKind | 'choice'
  /** What it sets, as one sentence for every reader: types, schema, help and README. A `path` is absolute in code; declared, it starts at the workspace root. */
  readonly says: string
  readonly required?: true
  readonly default?: string | number
  readonly unit?: 'milliseconds' | 'bytes'
  readonly min?: number
  readonly max?: number
  /** `integer` only: an exit code, which the platform may bound more closely than `max`. */
  readonly exitCode?: true
  /** The allowed values of a `choice`. */
  readonly values?: readonly string[]
  /** `text` only: neither `/` nor `\` may be in it. */
  readonly noSeparator?: true
  /** `path` only: a relative one is fine in code too; it starts at the working folder of the run. */
  readonly relative?: true
  /** `code`: holds functions or objects, so JSON can't say it. `declared`: only where a smoke is declared (executor, smoke.config). */
  readonly only?: 'code' | 'declared'
  readonly declared?: DeclaredForm
}

/** A table of options, each row checked against `OptionRow` and kept as the literal it is. */
export function table<const Table extends Readonly<Record<string, OptionRow>>>(rows: Table): Table {
  return rows
}

/** The largest delay that a timer of Node takes. */
const MAX_DELAY_MS = 2_147_483_647

/** Every option of a smoke, in the order in which the tables show them. */
export const options = table({
  label: {
    kind: 'text',
    required: true,
    says: 'The name under which the fixture is reported.',
    declared: { filledIn: true },
  },
  binScript: {
    kind: 'path',
    required: true,
    says: 'The entry point: its source file (`<package>/src/bin.ts`).',
    declared: {
      aliases: ['bin'],
      priority: 'important',
      completion: 'file',
      completionGlob: '**/*.{ts,mts,cts,js,mjs}',
    },
  },
  configPath: {
    kind: 'path',
    relative: true,
    says: 'The configuration file; the only argument of the bin unless `binArgs` is given. It need not exist yet: `prepare` may write it.',
    declared: {
      aliases: ['config'],
      priority: 'important',
      completion: 'file',
      completionGlob: '**/*.{yml,yaml,json}',
    },
  },
  tsconfigPath: {
    kind: 'path',
    says: 'The TypeScript project whose `paths` map source mode resolves with; required in `src` mode; left out, a declared smoke takes the nearest `tsconfig.json`.',
    declared: { aliases: ['tsConfig'], priority: 'important', completion: 'file', completionGlob: '**/tsconfig*.json' },
  },
  mode: {
    kind: 'choice',
    values: ['src', 'lib'],
    says: '`src` runs the TypeScript source, `lib` the built output; left out, the environment variable `DSH_EXAMPLE_MODE` decides (unset or empty is `src`).',
    declared: { priority: 'important' },
  },
  task: {
    kind: 'text',
    only: 'declared',
    says: 'The task for the root agent: appended to the default arguments of the bin; a turn is required then.',
    declared: { priority: 'important' },
  },
  model: {
    kind: 'model',
    only: 'declared',
    says: 'Starts a model server on loopback for the run, which answers from the file `script`, or plays the file `recording`.',
    declared: { priority: 'important' },
  },
  binArgs: {
    kind: 'strings',
    says: 'The complete arguments of the bin, instead of `configPath`.',
    declared: { aliases: ['args'] },
  },
  libBinScript: {
    kind: 'path',
    says: "The built entry point, when it can't be derived by rewriting the last `/src/` of `binScript` to `/lib/`.",
    declared: { aliases: ['libBin'], completion: 'file', completionGlob: '**/*.{js,mjs,cjs}' },
  },
  sourceImport: {
    kind: 'text',
    default: 'tsx',
    says: 'What is imported first in `src` mode so that Node runs TypeScript: `tsx`, `tsx/esm`, another installed loader, or the path of one.',
  },
  env: {
    kind: 'environment',
    says: 'Environment of the bin, over everything else that sets it; `undefined` (in JSON `null`) takes a name away.',
  },
  envMode: {
    kind: 'choice',
    values: ['inherit', 'strict'],
    default: 'inherit',
    says: '`inherit` gives the bin your environment without proxies; `strict` only the few names a program needs, and `env`.',
    declared: { default: 'strict' },
  },
  homes: {
    kind: 'folders',
    says: 'Further home folders: environment name to relative folder inside the isolated one, made before the start. `DSH_HOME` and `DSH_AGENTS_HOME` are always there.',
  },
  stdin: {
    kind: 'input',
    says: 'Text (in code also bytes) for standard input; without it, standard input is closed at once.',
  },
  tempDirPrefix: {
    kind: 'text',
    default: 'loader-smoke-',
    noSeparator: true,
    says: "The beginning of the temporary folder's name.",
  },
  tempDirParent: {
    kind: 'path',
    says: "An existing folder in which the temporary folder is made; left out, the system's own.",
    declared: { completion: 'directory' },
  },
  cwd: {
    kind: 'path',
    says: 'An existing folder of yours to run in instead of a temporary one. It is left in place; the homes go to a temporary folder of their own.',
    declared: { completion: 'directory' },
  },
  keepWorld: {
    kind: 'choice',
    values: ['never', 'on-failure', 'always'],
    default: 'never',
    says: 'When to leave the temporary folder behind and print its path.',
  },
  processTimeoutMs: {
    kind: 'integer',
    unit: 'milliseconds',
    min: 1,
    max: MAX_DELAY_MS,
    default: 30_000,
    says: 'How long the bin may run before its process tree is ended and the smoke fails.',
    declared: { aliases: ['timeout'] },
  },
  graceMs: {
    kind: 'integer',
    unit: 'milliseconds',
    min: 0,
    max: MAX_DELAY_MS,
    default: 2_000,
    says: 'How long a stopped process tree has between the polite signal and the forced one; 0 forces at once.',
  },
  maxOutputBytes: {
    kind: 'integer',
    unit: 'bytes',
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    default: 100_000_000,
    says: 'How much each output stream may hold; reaching it ends the run and fails the smoke.',
  },
  expectedExitCode: {
    kind: 'integer',
    min: 0,
    max: 4_294_967_295,
    exitCode: true,
    says: 'The exit code the run must end with (0 when left out); a failed turn is then part of the design, unless `turn` asks for one. At most 255 but on Windows.',
  },
  expectedSignal: {
    kind: 'signalName',
    says: 'The signal that must end the run, instead of an exit code.',
  },
  turn: {
    kind: 'turn',
    default: 'optional',
    says: 'What the root agent must have done: `required` (a turn that ended well), `optional`, or `{ output }`, the text or pattern its last answer must contain.',
    declared: { default: 'required' },
  },
  expect: {
    kind: 'expect',
    says: 'Further expectations: `exitCode`, `signal`, `output`, `stdout`, `stderr`, `files`, `tools`, `maxTokens`, `durationMs`.',
  },
  onSurvivors: {
    kind: 'choice',
    values: ['report', 'fail'],
    default: 'report',
    says: 'What processes that outlive the bin mean: they are named and ended either way; `fail` fails the smoke too.',
  },
  redact: {
    kind: 'secrets',
    says: 'Further secret texts or patterns to mask in messages. Values of names ending in `_KEY`, `_TOKEN`, `_SECRET` or `_PASSWORD` are masked always.',
  },
  containment: {
    kind: 'choice',
    values: ['subreaper', 'group+sweep', 'group', 'tree'],
    says: 'Forces a level of process containment instead of the best one this platform has; for tests.',
    declared: { priority: 'internal' },
  },
  prepare: {
    kind: 'hook',
    only: 'code',
    says: 'Called with the working folder before the start; a rejection fails the smoke.',
  },
  inspect: {
    kind: 'hook',
    only: 'code',
    says: 'Called with the working folder after an end as expected and before clean-up; a rejection fails the smoke.',
  },
  onOutput: {
    kind: 'listener',
    only: 'code',
    says: 'Called with the stream and each new stretch of text while the bin runs: in order, secrets masked, a flood cut; a throw ends the telling, not the run.',
  },
  services: {
    kind: 'services',
    only: 'code',
    says: 'Things that are started outside the bin before it and stopped after it, each `{ start(world) }` that gives `{ env, stop, report? }`.',
  },
  signal: {
    kind: 'abort',
    only: 'code',
    says: 'An AbortSignal that stops the run: everything is cleaned up, then the promise rejects with its reason.',
  },
  rerun: {
    kind: 'rerun',
    only: 'code',
    says: 'The command `{ argv, env? }` a failure shows for running the same smoke again; left out, it is the command of the bin in a fresh folder.',
  },
})

export type { LoaderSmokeOptions } from './generated/loader-smoke-options.ts'

type Table = typeof options

/** The name of an option. */
export type OptionName = keyof Table

type ValueOf<Row extends OptionRow> = Row extends { readonly values: readonly (infer Choice)[] }
  ? Choice
  : Row['kind'] extends keyof ValueOfKind
    ? ValueOfKind[Row['kind']]
    : never

type NamesWith<Shape> = { [Name in OptionName]: Table[Name] extends Shape ? Name : never }[OptionName]

/** What the table means for callers in code; `LoaderSmokeOptions` is the same, written out with a docstring for each option. */
export type OptionsOfTable = {
  readonly [Name in Exclude<NamesWith<{ required: true }>, NamesWith<{ only: 'declared' }>>]: ValueOf<Table[Name]>
} & {
  readonly [Name in Exclude<OptionName, NamesWith<{ required: true }> | NamesWith<{ only: 'declared' }>>]?:
    | ValueOf<Table[Name]>
    | undefined
}

/** The options of a smoke that is declared in JSON: an Nx target's `options`, for instance. */
export type DeclaredSmokeOptions = {
  readonly [Name in Exclude<OptionName, NamesWith<{ only: 'code' }>>]?: ValueOf<Table[Name]> | undefined
}

/** The row of an option. */
export function optionRow(name: OptionName): OptionRow {
  return options[name]
}

/** The default of an option in code, from its row. */
export function defaultOf<Name extends NamesWith<{ readonly default: string | number }>>(
  name: Name,
): Table[Name]['default'] {
  return options[name].default
}
