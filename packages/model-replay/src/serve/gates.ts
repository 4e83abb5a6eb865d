/** Named gates at which streams wait until a test opens them. */

export class Gates {
  readonly #waiting = new Map<string, Set<() => void>>()
  readonly #open = new Map<string, number>()

  /** Lets one stream pass `gate`: the one that waits longest, or the next that comes. */
  release(gate: string): void {
    const waiting = this.#waiting.get(gate)
    const [first] = waiting ?? []
    if (first === undefined) this.#open.set(gate, (this.#open.get(gate) ?? 0) + 1)
    else first()
  }

  /** Resolves when `gate` lets this caller pass; rejects with the signal's reason when it is aborted. */
  wait(gate: string, signal: AbortSignal): Promise<void> {
    const open = this.#open.get(gate) ?? 0
    if (open > 0) {
      this.#open.set(gate, open - 1)
      return Promise.resolve()
    }
    const waiting = this.#waiting.get(gate) ?? new Set()
    this.#waiting.set(gate, waiting)
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(pass)
        reject(signal.reason as Error)
      }
      const pass = () => {
        waiting.delete(pass)
        signal.removeEventListener('abort', leave)
        resolve()
      }
      if (signal.aborted) {
        reject(signal.reason as Error)
        return
      }
      waiting.add(pass)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
}
