/** The caller's options, checked and with every default applied. Pure: touches no file and starts nothing. */
import { checkOptions } from './check.ts'
import { type FileExpectation, type Matcher, type TextMatch, toMatcher } from './expectations.ts'
import { type ExampleMode, EXAMPLE_MODE_ENV, modeOf, noTsconfig } from './mode.ts'
import { OptionError } from './option-error.ts'
import { defaultOf, type LoaderSmokeOptions } from './options.ts'
import type { RerunCommand, SmokeService } from './services.ts'
import { IN_CODE, writtenAs, type WrittenNames } from './written-names.ts'

/** An environment as Node gives it. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A file expectation that is ready to be tried. */
export interface FileSpec {
  readonly path: string
  readonly present: boolean
  readonly content: Matcher | null
}

/** Everything that a run must have done. */
export interface ExpectSpec {
  /** Null when a signal is expected. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** A turn must have ended well. */
  readonly turn: 'required' | 'optional'
  readonly output: readonly Matcher[]
  readonly stdout: readonly Matcher[]
  readonly stderr: readonly Matcher[]
  readonly files: readonly FileSpec[]
  readonly tools: { readonly called: readonly string[]; readonly inOrder: boolean } | null
  readonly maxTokens: number | null
  readonly durationMs: number | null
  readonly survivors: 'report' | 'fail'
}

/** The complete description of a smoke. */
export interface SmokeSpec {
  readonly label: string
  readonly mode: ExampleMode
  readonly bin: { readonly source: string; readonly built: string | null }
  readonly configPath: string | null
  readonly args: readonly string[]
  readonly tsconfigPath: string | null
  /** What is `--import`ed in `src` mode, as the caller named it. */
  readonly loader: string
  readonly world: {
    readonly prefix: string
    readonly parent: string | null
    /** The caller's own folder. */
    readonly cwd: string | null
    /** Environment name → folder relative to the world. */
    readonly homes: Readonly<Record<string, string>>
    readonly keep: 'never' | 'on-failure' | 'always'
  }
  readonly env: {
    readonly mode: 'inherit' | 'strict'
    readonly inherited: Environment
    readonly overrides: Readonly<Record<string, string | null>>
  }
  readonly stdin: string | Uint8Array | null
  readonly deadlineMs: number
  readonly graceMs: number
  readonly maxOutputBytes: number
  readonly containment: LoaderSmokeOptions['containment'] | null
  readonly expect: ExpectSpec
  readonly redact: readonly TextMatch[]
  readonly services: readonly SmokeService[]
  readonly prepare: ((cwd: string) => Promise<void> | void) | null
  readonly inspect: ((cwd: string) => Promise<void> | void) | null
  readonly onOutput: ((stream: 'stdout' | 'stderr', text: string) => void) | null
  readonly abort: AbortSignal | null
  readonly rerun: RerunCommand | null
}

/** Homes that every world has. */
const HOMES = { DSH_HOME: '.dsh', DSH_AGENTS_HOME: '.agents' } as const

/**
 * The complete spec of a smoke.
 * @param inherited the environment that the bin inherits from, and that the mode is taken from when no option names it.
 * @param names what the options are called in messages.
 * @throws OptionError for the first option that can't be run with.
 */
export function resolve(given: LoaderSmokeOptions, inherited: Environment, names: WrittenNames = IN_CODE): SmokeSpec {
  checkOptions(given, names)
  const mode = modeOf(given.mode, inherited[EXAMPLE_MODE_ENV])
  if (mode === 'src' && given.tsconfigPath === undefined) throw noTsconfig(names)
  return {
    label: given.label,
    mode,
    bin: { source: given.binScript, built: given.libBinScript ?? null },
    configPath: given.configPath ?? null,
    args: given.binArgs ?? (given.configPath === undefined ? [] : [given.configPath]),
    tsconfigPath: given.tsconfigPath ?? null,
    loader: given.sourceImport ?? defaultOf('sourceImport'),
    world: {
      prefix: given.tempDirPrefix ?? defaultOf('tempDirPrefix'),
      parent: given.tempDirParent ?? null,
      cwd: given.cwd ?? null,
      homes: { ...HOMES, ...given.homes },
      keep: given.keepWorld ?? defaultOf('keepWorld'),
    },
    env: {
      mode: given.envMode ?? defaultOf('envMode'),
      inherited: { ...inherited },
      overrides: Object.fromEntries(Object.entries(given.env ?? {}).map(([name, value]) => [name, value ?? null])),
    },
    stdin: given.stdin ?? null,
    deadlineMs: given.processTimeoutMs ?? defaultOf('processTimeoutMs'),
    graceMs: given.graceMs ?? defaultOf('graceMs'),
    maxOutputBytes: given.maxOutputBytes ?? defaultOf('maxOutputBytes'),
    containment: given.containment ?? null,
    expect: resolveExpectations(given, names),
    redact: given.redact ?? [],
    services: given.services ?? [],
    prepare: given.prepare ?? null,
    inspect: given.inspect ?? null,
    onOutput: given.onOutput ?? null,
    abort: given.signal ?? null,
    rerun: given.rerun ?? null,
  }
}

function resolveExpectations(given: LoaderSmokeOptions, names: WrittenNames): ExpectSpec {
  const { expect = {}, turn = defaultOf('turn') } = given
  const signal = oneOf('expectedSignal', given.expectedSignal, 'signal', expect.signal, names)
  const exitCode = oneOf('expectedExitCode', given.expectedExitCode, 'exitCode', expect.exitCode, names)
  if (signal !== null && exitCode !== null)
    throw notBoth(signal, exitCode, 'a run ends by a signal or with an exit code')
  const output = [typeof turn === 'object' ? turn.output : undefined, expect.output].filter(
    (match) => match !== undefined,
  )
  const { tools } = expect
  // Without a turn these three could not fail.
  const needsTurn = output.length > 0 || tools !== undefined || expect.maxTokens !== undefined
  return {
    exitCode: signal === null ? (exitCode?.value ?? 0) : null,
    signal: signal?.value ?? null,
    turn: typeof turn === 'object' || needsTurn ? 'required' : turn,
    output: output.map(toMatcher),
    stdout: toMatchers(expect.stdout),
    stderr: toMatchers(expect.stderr),
    files: (expect.files ?? []).map(toFileSpec),
    tools:
      tools === undefined ? null : 'called' in tools ? { inOrder: false, ...tools } : { called: tools, inOrder: false },
    maxTokens: expect.maxTokens ?? null,
    durationMs: expect.durationMs ?? null,
    survivors: given.onSurvivors ?? defaultOf('onSurvivors'),
  }
}

/** The end that is expected of a process, and where that is written. */
interface ExpectedEnd<T> {
  readonly option: string
  readonly written: string
  readonly value: T
}

/** What an option says, or `expect` under a name of its own. @throws OptionError when both do and disagree. */
function oneOf<T>(
  option: string,
  value: T | undefined,
  field: string,
  inExpect: T | undefined,
  names: WrittenNames,
): ExpectedEnd<T> | null {
  const direct = value === undefined ? null : { option, written: writtenAs(option, names), value }
  const nested =
    inExpect === undefined ? null : { option, written: `${writtenAs('expect', names)}.${field}`, value: inExpect }
  if (direct !== null && nested !== null && value !== inExpect) throw notBoth(direct, nested, 'they must agree')
  return direct ?? nested
}

function notBoth(one: ExpectedEnd<unknown>, other: ExpectedEnd<unknown>, why: string): OptionError {
  return new OptionError(
    one.option,
    `${one.written} is ${String(one.value)} and ${other.written} is ${String(other.value)}: ${why}.\nNext: take one of the two out.`,
  )
}

function toMatchers(matches: TextMatch | readonly TextMatch[] | undefined): Matcher[] {
  if (matches === undefined) return []
  return (Array.isArray(matches) ? (matches as readonly TextMatch[]) : [matches as TextMatch]).map(toMatcher)
}

function toFileSpec({ path, present = true, content }: FileExpectation): FileSpec {
  return { path, present, content: content === undefined ? null : toMatcher(content) }
}
