/** The questions and answers of a recording, in memory. */
import { withNext } from '../serve/problems.ts'
import { type Asked, type AskedItem, keyOf } from './asked.ts'

/** An answer as it went over the wire, without secrets. */
export interface TapedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Sizes of the pieces in which the body came, in bytes of UTF-8; their sum is the body's. */
  readonly chunkBytes: readonly number[]
}

export interface TapedExchange {
  readonly asked: Asked
  readonly answer: TapedAnswer
}

/** Equal questions get their answers in the order in which those were given; no other state, so nothing can cross. */
export class Tape {
  readonly #exchanges: readonly TapedExchange[]
  readonly #places = new Map<string, number[]>()
  readonly #taken = new Set<number>()
  readonly #renewedBy: string

  /** @param renewedBy what brings the recording up to date, for messages. */
  constructor(exchanges: readonly TapedExchange[], renewedBy: string) {
    this.#exchanges = exchanges
    this.#renewedBy = renewedBy
    exchanges.forEach(({ asked }, place) => {
      const key = keyOf(asked)
      this.#places.set(key, [...(this.#places.get(key) ?? []), place])
    })
  }

  /** The next answer to `asked` and its number, from 1; undefined when there is none left. */
  take(asked: Asked): { readonly answer: TapedAnswer; readonly number: number } | undefined {
    const place = this.#places.get(keyOf(asked))?.find((one) => !this.#taken.has(one))
    const found = place === undefined ? undefined : this.#exchanges[place]
    if (place === undefined || found === undefined) return undefined
    this.#taken.add(place)
    return { answer: found.answer, number: place + 1 }
  }

  /** Those that were taken, in their order. */
  taken(): TapedExchange[] {
    return this.#exchanges.filter((_, place) => this.#taken.has(place))
  }

  /** One sentence for each exchange that was never asked for; the last one with what to do next. */
  unused(): string[] {
    const unused = this.#exchanges.flatMap(({ asked }, place) =>
      this.#taken.has(place) ? [] : [`exchange ${place + 1} (${describeAsked(asked)}) was not asked for.`],
    )
    return withNext(unused, `find out why the app did not ask, or record anew with ${this.#renewedBy}.`)
  }

  /** Why `asked` has no answer: what came and what the nearest question is. */
  explain(asked: Asked, source: string): string {
    const times = this.#places.get(keyOf(asked))?.length ?? 0
    const nearest = this.#exchanges
      .map((exchange, place) => ({ place, ...firstDifference(exchange.asked, asked) }))
      .toSorted((a, b) => b.common - a.common)[0]
    return [
      times === 0
        ? `${source} has no answer to this request.`
        : `${source} has ${times} ${times === 1 ? 'answer' : 'answers'} to this request, and it came once more.`,
      `Came: ${describeAsked(asked)}`,
      ...(times > 0 || nearest === undefined ? [] : [`Nearest: exchange ${nearest.place + 1}; ${nearest.text}`]),
      `Next: find out why the app asks this, or record anew with ${this.#renewedBy}.`,
    ].join('\n')
  }
}

/** A question in one line. */
export function describeAsked({ method, path, model, items, body }: Asked): string {
  const last = items.at(-1)
  if (last === undefined) return `${method} ${path}${body === '' ? '' : `, ${body.length} characters`}`
  return `${method} ${path}, model ${JSON.stringify(model)}, ${items.length} items, the last ${shown(last)}`
}

/** Where two questions part, and how much they have in common before that. */
function firstDifference(recorded: Asked, came: Asked): { readonly common: number; readonly text: string } {
  for (const name of ['method', 'path', 'model', 'stream', 'system', 'body'] as const)
    if (recorded[name] !== came[name])
      return { common: 0, text: `its ${name} is ${shown(recorded[name])}, but ${shown(came[name])} came.` }
  const [tools, cameTools] = [recorded.tools.join(', '), came.tools.join(', ')]
  if (tools !== cameTools) return { common: 0, text: `its tools are ${tools}, but ${cameTools} came.` }
  const length = Math.max(recorded.items.length, came.items.length)
  for (let at = 0; at < length; at++) {
    const [one, other] = [recorded.items[at], came.items[at]]
    if (JSON.stringify(one) !== JSON.stringify(other))
      return { common: at + 1, text: `its item ${at + 1} is ${shown(one)}, but ${shown(other)} came.` }
  }
  return { common: length + 1, text: 'it is the same.' }
}

function shown(value: AskedItem | string | boolean | undefined): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}... (${text.length} characters)` : text
}
