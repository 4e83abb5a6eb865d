/** Which entries of a tree have not settled, and what each waits for. */

/** What of a loader's entry is looked at. */
export interface WatchedEntry {
  readonly id: string
  readonly disabled: boolean
  readonly options: { readonly name: string }
  readonly subtree?: unknown
  readonly subgroup?: unknown
  readonly _initTask?: Promise<unknown> | undefined
  readonly fiber?:
    | {
        readonly state: number
        readonly inject: Readonly<Record<string, unknown>>
        readonly ctx: { get(name: string): unknown }
      }
    | undefined
}

/** States of a Cordis fiber, which its package has as a constant enumeration only. */
const PENDING = 0
const LOADING = 1

/** One line for each entry that is neither active nor failed: the entries that start, then those that wait for a service. */
export function unsettled(entries: Iterable<WatchedEntry>): string[] {
  const starting: string[] = []
  const waiting: string[] = []
  for (const entry of entries) {
    // Includes and groups wait for their entries, which are told themselves.
    if (entry.disabled || entry.subtree !== undefined || entry.subgroup !== undefined) continue
    const subject = `"${entry.id.split(':').slice(1).join(':') || entry.id}" ('${entry.options.name}')`
    const { fiber } = entry
    if (fiber === undefined) {
      if (entry._initTask !== undefined)
        starting.push(
          `${subject}: its module has not finished loading (an await at its top level, or of a module it imports)`,
        )
    } else if (fiber.state === LOADING) starting.push(`${subject}: its start has not finished`)
    else if (fiber.state === PENDING) {
      const missing = Object.keys(fiber.inject).filter((name) => fiber.ctx.get(name) === undefined)
      waiting.push(
        `${subject}: waits for ${missing.length === 1 ? 'the service' : 'services'} ${missing.join(', ') || 'of an unknown name'}`,
      )
    }
  }
  return [...starting, ...waiting]
}
