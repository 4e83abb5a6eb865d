/** Refuses names that are no option: an expectation under a misspelled name would never be checked, and the smoke would pass. Pure. */
import { suggestion } from './nearest.ts'
import { notAllowed, OptionError } from './option-error.ts'

/** The names that a function takes. */
export interface KnownNames {
  /** Whose options they are, for messages. */
  readonly of: string
  readonly names: readonly string[]
  /** Name that belongs elsewhere → what to do here: the text after "Next: ". */
  readonly elsewhere: ReadonlyMap<string, string>
}

/**
 * Checks that `given` is an object whose names are all known; a name that is there as `undefined` is as good as left out.
 * @throws OptionError for the first that is not: what it was probably meant to be, or what to give instead.
 */
export function checkNames(given: unknown, { of, names, elsewhere }: KnownNames): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw notAllowed('options', 'an object', given, `call it with { ${names.slice(0, 2).join(', ')}, … }.`)
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || names.includes(name)) continue
    // Without its value: what stands under an unknown name may be a secret.
    const what = `${JSON.stringify(name)} is no option of ${of}.`
    const instead = elsewhere.get(name)
    if (instead !== undefined) throw new OptionError(name, `${what}\nNext: ${instead}`)
    const near = suggestion(name, names)
    const next = near === '' ? `take it out, or use one of ${names.join(', ')}.` : 'correct its name, or take it out.'
    throw new OptionError(name, `${what}${near}\nNext: ${next}`)
  }
}
