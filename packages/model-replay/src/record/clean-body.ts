/** Takes secrets out of an answer, also those that a stream has cut in pieces. */

/** The events of a stream, each with its blank line; a body of another kind is one event. */
export function splitEvents(body: string): string[] {
  return body.split(/(?<=\n\n|\r\n\r\n)/)
}

/**
 * `body` without secrets. A secret that is spread over several deltas is put together, masked and left in the first of them; the others become
 * empty. `clean` is applied to everything else as it stands.
 */
export function cleanBody(body: string, clean: (text: string) => string): string {
  const events = splitEvents(body).map(parseEvent)
  for (const leaves of deltaTexts(events).values()) {
    const pieces = leaves.map(({ owner, key }) => String(owner[key]))
    const joined = clean(pieces.join(''))
    if (joined === pieces.map(clean).join('')) continue
    leaves.forEach(({ owner, key, event }, index) => {
      owner[key] = index === 0 ? joined : ''
      event.changed = true
    })
  }
  return clean(events.map(toText).join(''))
}

interface ParsedEvent {
  readonly text: string
  readonly data: unknown
  changed: boolean
}

interface Leaf {
  readonly event: ParsedEvent
  readonly owner: Record<string, unknown>
  readonly key: string
}

const DATA = /^data: ?(.*)$/m

function parseEvent(text: string): ParsedEvent {
  const [, json] = DATA.exec(text) ?? []
  if (json === undefined) return { text, data: undefined, changed: false }
  try {
    return { text, data: JSON.parse(json), changed: false }
  } catch {
    // Not JSON, such as [DONE]: it has no deltas.
    return { text, data: undefined, changed: false }
  }
}

function toText({ text, data, changed }: ParsedEvent): string {
  return changed ? text.replace(DATA, () => `data: ${JSON.stringify(data)}`) : text
}

/** Texts within a `delta`, by what they are parts of. */
function deltaTexts(events: readonly ParsedEvent[]): Map<string, Leaf[]> {
  const found = new Map<string, Leaf[]>()
  for (const event of events) {
    const {
      item_id: item = '',
      index = '',
      output_index: output = '',
      type = '',
    } = (event.data ?? {}) as Record<string, unknown>
    walk(event.data, `${String(type)} ${String(item)} ${String(index)} ${String(output)}`, event, found)
  }
  return found
}

function walk(value: unknown, path: string, event: ParsedEvent, found: Map<string, Leaf[]>): void {
  if (typeof value !== 'object' || value === null) return
  const owner = value as Record<string, unknown>
  const within = (owner['index'] as number | undefined) ?? ''
  for (const [key, entry] of Object.entries(owner)) {
    const at = `${path}.${within}.${key}`
    if (typeof entry !== 'string') walk(entry, at, event, found)
    else if (at.includes('delta')) found.set(at, [...(found.get(at) ?? []), { event, owner, key }])
  }
}
