/** Which of its two forms a fixture is run in. */
import { OptionError, show } from './option-error.ts'
import { IN_CODE, type WrittenNames } from './written-names.ts'

/** `src`: the TypeScript source, with a loader and the `paths` map. `lib`: the built output, under plain Node. */
export type ExampleMode = 'src' | 'lib'

/** The environment name that decides the mode when no option does. */
export const EXAMPLE_MODE_ENV = 'DSH_EXAMPLE_MODE'

/**
 * The mode that `raw` names; unset and empty are `src`.
 * @param raw default: `DSH_EXAMPLE_MODE` of this process.
 * @throws OptionError for any other value, so that a typo never runs the other form.
 */
export function resolveExampleMode(raw: string | undefined = process.env[EXAMPLE_MODE_ENV]): ExampleMode {
  return toMode(
    raw,
    "set it, or the option mode, to 'src' (TypeScript source) or 'lib' (built output), or leave both unset for 'src'.",
  )
}

/**
 * The mode that the option `given` names; left out, that of `environment`, the value of `DSH_EXAMPLE_MODE` there.
 * @throws OptionError for any other value, which tells whether the option or the variable is wrong.
 */
export function modeOf(given: unknown, environment: string | undefined): ExampleMode {
  if (given === undefined) return resolveExampleMode(environment ?? '')
  return toMode(
    given,
    `the option mode says so; set it to 'src' (TypeScript source) or 'lib' (built output), or leave it out to let ${EXAMPLE_MODE_ENV} decide.`,
  )
}

/** One beginning of the message for both: callers and their expressions look for it. */
function toMode(raw: unknown, next: string): ExampleMode {
  if (raw === undefined || raw === '' || raw === 'src') return 'src'
  if (raw === 'lib') return 'lib'
  throw new OptionError('mode', `${EXAMPLE_MODE_ENV} must be 'src' or 'lib', got ${show(raw)}.\nNext: ${next}`)
}

/**
 * The error of `src` mode without a TypeScript project.
 * @param names where a smoke is declared, they have a name for the one that would be found.
 */
export function noTsconfig(names: WrittenNames = IN_CODE): OptionError {
  if (names.has('tsconfigPath')) {
    const place = names.get('binScript')?.place ?? ''
    return new OptionError(
      'tsconfigPath',
      `${place === '' ? '' : `${place}: `}mode 'src' needs a TypeScript project, and no tsconfig.json is beside the smoke or above it.\n` +
        "Next: add a tsconfig.json ({} is enough), name one elsewhere with tsConfig, or run the built output with mode 'lib'.",
    )
  }
  return new OptionError(
    'tsconfigPath',
    "resolveExampleLaunch: 'src' mode needs tsconfigPath for the workspace paths map.\n" +
      "Next: in code, pass the absolute path of the tsconfig.json whose paths name your workspace packages; where a smoke is declared (tsConfig), add a tsconfig.json beside it. Or run the built output with mode 'lib'.",
  )
}
