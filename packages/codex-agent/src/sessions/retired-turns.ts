/**
 * Turns that are over for us. Their late messages must not touch the run that came after: a cancelled turn is over at once, while its
 * `turn/completed` often arrives when the next start is already in flight.
 */
import type { Outcome } from '@loader-smoke/agent-sdk'

/** What is known of a retired turn. */
export interface RetiredTurn {
  /** The run it belonged to; `null` when it was never ours. */
  readonly runId: string | null
  /** How the server ended it; `null` as long as the server has not said that it is over. */
  readonly outcome: Outcome | null
}

/** The retired turns of one session; the oldest are forgotten beyond 4,096. */
export interface RetiredTurns {
  has(turnId: string): boolean
  get(turnId: string): RetiredTurn | undefined
  add(turnId: string, turn: RetiredTurn): void
  /** The server says that the turn is over. */
  complete(turnId: string, outcome: Outcome): void
  /** The turn goes on after all. */
  revive(turnId: string): void
}

const kept = 4_096

/** No turn has retired yet. */
export function retiredTurns(): RetiredTurns {
  const turns = new Map<string, RetiredTurn>()
  return {
    has: (turnId) => turns.has(turnId),
    get: (turnId) => turns.get(turnId),
    add(turnId, turn) {
      turns.set(turnId, turn)
      if (turns.size <= kept) return
      const [oldest] = turns.keys()
      if (oldest !== undefined) turns.delete(oldest)
    },
    complete(turnId, outcome) {
      const turn = turns.get(turnId)
      if (turn !== undefined) turns.set(turnId, { ...turn, outcome })
    },
    revive: (turnId) => {
      turns.delete(turnId)
    },
  }
}
