/** A `turn/start` that was sent, or is about to be, and whose turn is not known yet. */

import type { Client } from '../connection/app-server.ts'

/** The start of one run. */
export interface StartInFlight {
  readonly runId: string
  /** The request, once it was sent; the answer names the turn. */
  sent: { readonly client: Client; readonly threadId: string; readonly answered: Promise<string | null> } | null
  /** Resolves with the turn, from the answer or from `turn/started`; rejects when the run ends before. */
  readonly known: Promise<string>
  resolve(turnId: string): void
  reject(error: Error): void
}

/** The start of a run that was cancelled before its turn was known: the turn has to be stopped as soon as it is. */
export interface AbandonedStart {
  readonly runId: string
  /** Stops the turn, whether the answer or `turn/started` names it first. */
  stop(turnId: string): Promise<void>
}

/** A start for `runId`. */
export function startInFlight(runId: string): StartInFlight {
  const { promise: known, resolve, reject } = Promise.withResolvers<string>()
  // Nobody may be waiting for the turn; then its failure is told by the run alone.
  known.catch(() => {})
  return { runId, sent: null, known, resolve, reject }
}
