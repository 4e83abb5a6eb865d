/** Checks the values of a task's options, before anything is read from them: Nx itself lets every value through. Pure. */
import { checkValues, notAllowed, OptionError } from '@loader-smoke/harness/config'
import { aliasesOf, type GivenOptions, pathNames } from './names.ts'
import { type Anchor, toAbsolute } from './paths.ts'
import { splitArguments } from './split-arguments.ts'

/**
 * Checks every value that is given: those that a smoke has in code by the harness' own rules, then those that only a target has. What is missing is not looked for.
 * @param options under their own names, all of them known.
 * @throws OptionError for the first value that its option doesn't allow, under each name that the option may have been given by.
 */
export function checkGiven(options: GivenOptions, anchor: Anchor): void {
  const { label = 'label', binScript = anchor.workspaceRoot, binArgs, ...others } = options
  // The command line can only give texts: arguments as one are split later.
  const list = typeof binArgs === 'string' ? splitArguments(binArgs) : binArgs
  const values = { ...others, label, binScript, binArgs: list }
  withEveryName(() => {
    checkValues(withAbsolutePaths(values, anchor))
    for (const name of ['task', 'smokeConfig', 'fixture']) checkText(name, options[name])
    checkModel(options['model'])
    checkPassEnv(options['passEnv'])
    if (options['fixture'] !== undefined && options['smokeConfig'] === undefined)
      throw new OptionError(
        'fixture',
        `fixture was given without smokeConfig, got ${JSON.stringify(options['fixture'])}: it is the label of a fixture in a smoke.config file.\n` +
          'Next: give smokeConfig, the file that declares it, or take fixture out.',
      )
  })
}

/** The options with the paths among them made absolute; a value of a wrong type, or an empty one, stays as it is. */
export function withAbsolutePaths(options: GivenOptions, anchor: Anchor): GivenOptions {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      pathNames.includes(name) && typeof value === 'string' && value !== '' ? toAbsolute(value, anchor) : value,
    ]),
  )
}

function checkText(name: string, value: unknown): void {
  if (value === undefined || (typeof value === 'string' && value.trim() !== '' && !value.includes('\0'))) return
  throw notAllowed(name, 'a text that is not empty', value, `give ${name} such a text, or leave it out.`)
}

function checkModel(model: unknown): void {
  if (model === undefined) return
  const script = typeof model === 'string' ? model : (model as { script?: unknown } | null)?.script
  if (typeof script !== 'string' || script === '')
    throw new OptionError(
      'model',
      `model must be { "script": "<file>" }, got ${JSON.stringify(model)}.\nNext: name the file that the model server answers from.`,
    )
}

function checkPassEnv(passEnv: unknown): void {
  if (passEnv === undefined) return
  if (
    !Array.isArray(passEnv) ||
    !passEnv.every((name) => typeof name === 'string' && name !== '' && !/[=\0]/.test(name))
  )
    throw new OptionError(
      'passEnv',
      `passEnv must be a list of environment names, got ${JSON.stringify(passEnv)}.\nNext: for instance ["MY_FLAG"].`,
    )
}

/** Nx has put the option under its own name by now, whichever name was written. */
function withEveryName(check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof OptionError) || !error.message.startsWith(`${error.option} `)) throw error
    const names = [error.option, ...aliasesOf(error.option)].join(', ')
    throw new OptionError(error.option, `${names}${error.message.slice(error.option.length)}`, error)
  }
}
