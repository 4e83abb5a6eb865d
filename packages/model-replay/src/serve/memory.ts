/** Remembers answered conversations, for clients of the Responses API that send `previous_response_id` instead of the history. */
import type { Answer } from '../answer/answer.ts'
import type { Ask, Item } from '../ask/ask.ts'

const MAX_REMEMBERED = 10_000
const MAX_CHARACTERS = 64 * 1024 * 1024

/** The conversations of one server, by the response that each ends with. */
export class Memory {
  readonly #responses = new Map<string, { readonly items: readonly Item[]; readonly characters: number }>()
  #characters = 0

  /** The conversation up to and including the response `id`; undefined when it is unknown or forgotten. */
  recall(id: string): readonly Item[] | undefined {
    return this.#responses.get(id)?.items
  }

  /** Keeps the last 10,000 responses, fewer when the conversations up to them have more than 64 Mi characters in all; the last one always. */
  keep(ask: Ask, answer: Answer): void {
    const said = answer.blocks.flatMap((block): Item[] => {
      if (block.type === 'toolCall') return [{ type: 'call', id: block.id, name: block.name, input: block.input }]
      return block.type === 'text' || block.type === 'refusal'
        ? [{ type: 'assistant', text: block.deltas.join('') }]
        : []
    })
    const items = [...ask.items, ...said]
    const characters = items.reduce((sum, item) => sum + lengthOf(item), 0)
    this.#responses.set(`resp_${answer.id}`, { items, characters })
    this.#characters += characters
    for (const [id, { characters: freed }] of this.#responses) {
      if (this.#responses.size <= MAX_REMEMBERED && (this.#characters <= MAX_CHARACTERS || this.#responses.size === 1))
        return
      this.#responses.delete(id)
      this.#characters -= freed
    }
  }
}

function lengthOf(item: Item): number {
  return item.type === 'call' ? item.input.length : item.text.length
}
