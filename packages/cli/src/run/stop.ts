/** What happens on INT and TERM: the harness ends the trees of what runs; here no further smoke is started, and the end is told. */

/** Whether the program was told to stop. */
export interface Stop extends Disposable {
  /** The first signal that came. */
  readonly signal: NodeJS.Signals | null
  /** Aborts with the first signal. */
  readonly aborted: AbortSignal
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Listens until it is disposed, and after a signal for good. While it does, a signal doesn't end the program: whoever listens must. */
export function listenForStop(): Stop {
  const controller = new AbortController()
  let first: NodeJS.Signals | null = null
  const stop = (signal: NodeJS.Signals) => {
    first ??= signal
    controller.abort()
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  return {
    get signal() {
      return first
    },
    aborted: controller.signal,
    [Symbol.dispose]() {
      // The harness leaves dying to whoever listens, and looks once its trees are gone: the exit code is to come from here.
      if (first !== null) return
      for (const signal of SIGNALS) process.off(signal, stop)
    },
  }
}
