/** The fixed times of supervision, in milliseconds. */

/** A process that ends by itself this soon after the program's own exit is no survivor (a compiler service that sees its pipe close). */
export const SETTLE_MS = 200

/** KILL has this long to help; afterwards the run is an error that names who is left. */
export const KILL_MS = 5_000

/** The runner's own deadline, for a helper or a watchdog that is there and does not act: this long after the deadline and the grace. */
export const LATE_MS = 2_000

/** So often are the processes that guard a run continued, should something have stopped them. */
export const WAKE_MS = 500

/** Node fires a longer timer at once (TimeoutOverflowWarning). @see https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const MAX_TIMER_MS = 2_147_483_647

/** Between two looks at something that is about to end. */
const POLL_MS = 5

/** Polls until `done()` or until `limitMs` are over; tells which. */
export async function until(done: () => boolean, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs
  while (!done()) {
    if (performance.now() > end) return false
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return true
}

/** Like `until`, without the event loop. */
export function untilSync(done: () => boolean, limitMs: number): boolean {
  const end = performance.now() + limitMs
  const clock = new Int32Array(new SharedArrayBuffer(4))
  while (!done()) {
    if (performance.now() > end) return false
    Atomics.wait(clock, 0, 0, POLL_MS)
  }
  return true
}

/**
 * Calls `act` when `delayMs` are over, at once when they are less than none; `clearTimeout` what it returns to prevent that. Whatever the event loop has not heard yet because it was
 * blocked is heard first: a program that has ended in time is not ended for being late.
 */
export function setLateTimeout(act: () => void, delayMs: number): NodeJS.Timeout {
  return setTimeout(() => setImmediate(act), Math.min(Math.max(0, delayMs), MAX_TIMER_MS))
}
