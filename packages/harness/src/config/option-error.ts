/** Wrong use: an option that can't be run with. Thrown before anything is started. */

/** Names the option, what was given, what is allowed, and what to do next; `option` is the name alone. */
export class OptionError extends Error {
  override readonly name = 'OptionError'
  readonly option: string

  constructor(option: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.option = option
  }
}

/** The error for a value that is not what the option allows. `next` is one sentence without its "Next: ". */
export function notAllowed(option: string, allowed: string, given: unknown, next: string): OptionError {
  return new OptionError(option, `${option} must be ${allowed}, got ${show(given)}.\nNext: ${next}`)
}

/** Objects that are easily taken for what is wanted. */
const KINDS = [
  [Uint8Array, 'bytes'],
  [URL, 'a URL'],
  [Map, 'a Map'],
] as const

/** A value as it stands in a message: short, quoted, on one line. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 200 ? `${value.slice(0, 200)}…` : value)
  if (typeof value === 'bigint') return `${value}n`
  if (value === null || typeof value !== 'object') return typeof value === 'function' ? 'a function' : String(value)
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  for (const [Kind, shown] of KINDS) if (value instanceof Kind) return shown
  return 'an object'
}
