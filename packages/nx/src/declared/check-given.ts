/** Checks the values of a task's options, before anything is read from them: Nx itself lets every value through. Pure. */
import {
  checkDeclared,
  checkValues,
  nameOf,
  notAllowed,
  OptionError,
  type WrittenNames,
} from '@loader-smoke/harness/config'
import { type GivenOptions, pathNames } from './names.ts'
import { type Anchor, toAbsolute } from './paths.ts'
import { splitArguments } from './split-arguments.ts'

/**
 * Checks every value that is given: those that a smoke has in code by the harness' own rules, then those that only a target has. What is missing is not looked for.
 * @param options under their own names, all of them known.
 * @throws OptionError for the first value that its option doesn't allow, under the name that it was written by.
 */
export function checkGiven(options: GivenOptions, anchor: Anchor, names: WrittenNames): void {
  const { label = 'label', binScript = anchor.workspaceRoot, binArgs, model, ...others } = options
  // The command line can only give texts: arguments as one are split later.
  const list = typeof binArgs === 'string' ? splitArguments(binArgs) : binArgs
  checkValues(withAbsolutePaths({ ...others, label, binScript, binArgs: list }, anchor), names)
  checkDeclared({ ...others, model: typeof model === 'string' ? { script: model } : model }, names)
  for (const option of ['smokeConfig', 'fixture']) checkText(nameOf(option, names), options[option])
  if (options['fixture'] !== undefined && options['smokeConfig'] === undefined)
    throw new OptionError(
      'fixture',
      `${nameOf('fixture', names)} was given without smokeConfig, got ${JSON.stringify(options['fixture'])}: it is the label of a fixture in a smoke.config file.\n` +
        'Next: give smokeConfig, the file that declares it, or take fixture out.',
    )
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
