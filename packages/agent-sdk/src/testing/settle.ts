/** Lets queued work run, without a clock. */

/** Turns of the event loop per round: a message through two streams and a few promises needs about five. */
const turnsPerRound = 10

/** Resolves after `rounds` rounds in which promises and immediates ran. Nothing that waits for a timer or a socket is waited for. */
export async function settle(rounds = 1): Promise<void> {
  for (let turn = 0; turn < rounds * turnsPerRound; turn++)
    await new Promise<void>((resolve) => {
      setImmediate(resolve)
    })
}
