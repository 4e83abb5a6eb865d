/** Fingerprints of a conversation's history, for clients that send no thread id. */
import { hash } from 'node:crypto'
import type { Ask } from '../ask/ask.ts'

/** Agents of one app have few system texts, which are long and come with every request. */
const MAX_KEPT_HEADS = 8

/** Computes fingerprints, and keeps those of the last few system texts. */
export class Fingerprints {
  readonly #heads: { readonly start: string; readonly system: string; readonly print: string }[] = []

  /**
   * One digest for each prefix of the history: entry i covers items 0 to i. Model, system text and dialect count too.
   * Two requests have an equal entry i exactly when they begin with the same i + 1 items.
   */
  of(ask: Ask): string[] {
    // Each digest is made of the one before it; one-shot hashes are several times as fast as a copied one.
    let print = this.#head(ask)
    return ask.items.map((item) => (print = digest(print + JSON.stringify(item))))
  }

  #head({ dialect, model, system }: Ask): string {
    const start = `${dialect} ${JSON.stringify(model)}`
    const known = this.#heads.find((head) => head.start === start && head.system === system)
    if (known !== undefined) return known.print
    const print = digest(`${start} ${system}`)
    if (this.#heads.unshift({ start, system, print }) > MAX_KEPT_HEADS) this.#heads.pop()
    return print
  }
}

function digest(text: string): string {
  return hash('sha1', text, 'base64')
}
