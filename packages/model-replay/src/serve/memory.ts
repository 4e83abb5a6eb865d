/** Remembers answered conversations, for clients of the Responses API that send `previous_response_id` instead of the history. */
import type { Answer } from '../answer/answer.ts'
import type { Ask, Item } from '../ask/ask.ts'

const MAX_REMEMBERED = 10_000

export class Memory {
  readonly #items = new Map<string, readonly Item[]>()

  /** The conversation up to and including the response `id`; undefined when it is unknown or forgotten. */
  recall(id: string): readonly Item[] | undefined {
    return this.#items.get(id)
  }

  /** Keeps the last 10,000 responses. */
  keep(ask: Ask, answer: Answer): void {
    const said = answer.blocks.flatMap((block): Item[] => {
      if (block.type === 'toolCall') return [{ type: 'call', id: block.id, name: block.name, input: block.input }]
      return block.type === 'text' || block.type === 'refusal'
        ? [{ type: 'assistant', text: block.deltas.join('') }]
        : []
    })
    this.#items.set(`resp_${answer.id}`, [...ask.items, ...said])
    const [oldest] = this.#items.keys()
    if (this.#items.size > MAX_REMEMBERED && oldest !== undefined) this.#items.delete(oldest)
  }
}
