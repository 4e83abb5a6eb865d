/** A random mix of faults, the same for the same seed. */
import { createHash, randomInt } from 'node:crypto'
import { type Ask, firstUser } from '../ask/ask.ts'
import type { FaultKind } from '../script/schema.ts'
import type { FaultMix } from '../script/script.ts'

/**
 * Draws faults. A draw depends on the seed, the conversation's first message, its length and how often that came, not on the order in
 * which concurrent conversations arrive: the same app with the same seed meets the same faults.
 */
export class Mix {
  readonly seed: number
  readonly #mix: FaultMix
  readonly #attempts = new Map<string, number>()

  constructor(mix: FaultMix) {
    this.#mix = mix
    this.seed = mix.seed ?? randomInt(2 ** 32)
  }

  /** A fault, an HTTP status, or undefined: this request is answered as the script says. */
  draw(ask: Ask): FaultKind | number | undefined {
    const place = JSON.stringify([firstUser(ask), ask.items.length])
    const attempt = this.#attempts.get(place) ?? 0
    this.#attempts.set(place, attempt + 1)
    const digest = createHash('sha256').update(`${this.seed} ${attempt} ${place}`).digest()
    if (digest.readUInt32BE(0) / 2 ** 32 >= this.#mix.rate) return undefined
    return this.#mix.kinds[digest.readUInt32BE(4) % this.#mix.kinds.length]
  }
}
