/** Gives every request its turn: which conversation of the script it belongs to, and how far that one is. */
import { type Ask, firstUser } from '../ask/ask.ts'
import type { Conversation, Script, Turn } from '../script/script.ts'
import { differences } from './expect.ts'
import { Fingerprints } from './fingerprint.ts'
import { explainMismatch } from './mismatch.ts'

/** One conversation of a client, running through the turns of one conversation of the script. */
export interface Run {
  /** 1 for the first conversation that came. */
  readonly number: number
  readonly conversation: Conversation
  readonly thread: string | undefined
  /** How often each turn was served. */
  readonly served: number[]
  /** The turn that is due in strict order. */
  cursor: number
  /** History of the last request, to know its continuation by. */
  history: { readonly length: number; readonly print: string; readonly opening: string }
  /** Whether the last answer did not reach the client whole, so that the same request may come again. */
  retryDue: boolean
}

/** The turn that a request gets. */
export interface Found {
  readonly run: Run
  readonly turn: Turn
  readonly turnIndex: number
  /** The request equals the one before it in its conversation. */
  readonly repeated: boolean
}

/** A turn that was served too seldom. */
export interface Unused {
  readonly conversation: string
  readonly turn: string
  readonly served: number
  readonly expected: number
}

/**
 * Where every conversation is. Synchronous, so concurrent requests can't take each other's turns.
 * A conversation is known by the client's thread id; without one by its history: a request continues the conversation
 * whose last request it begins with.
 */
export class Book {
  readonly #script: Script
  readonly #fingerprints = new Fingerprints()
  readonly #runs: Run[] = []
  readonly #byThread = new Map<string, Run>()
  readonly #byCall = new Map<string, Run>()
  readonly #byHistory = new Map<string, Set<Run>>()
  readonly #byOpening = new Map<string, Set<Run>>()
  readonly #byConversation = new Map<Conversation, Run>()

  constructor(script: Script) {
    this.#script = script
  }

  /** Every conversation that came, in order of arrival. */
  get runs(): readonly Run[] {
    return this.#runs
  }

  /** The turn for `ask`, or the words that say why there is none. Takes the turn. */
  next(ask: Ask): Found | string {
    const prints = ask.thread === undefined ? this.#fingerprints.of(ask) : []
    const known = this.#known(ask, prints)
    if (known !== undefined) {
      const index = dueTurn(known, ask)
      return index === undefined ? explainMismatch(this.#script, ask, known) : this.#take(known, index, ask, prints)
    }
    for (const conversation of this.#script.conversations) {
      if (!this.#isOpen(conversation) || differences(conversation.match, ask).length > 0) continue
      const run = this.#shared(conversation) ?? newRun(this.#runs.length + 1, conversation, ask)
      const index = dueTurn(run, ask)
      if (index === undefined) continue
      if (run.number > this.#runs.length) {
        this.#runs.push(run)
        this.#byConversation.set(conversation, run)
      }
      return this.#take(run, index, ask, prints)
    }
    return explainMismatch(this.#script, ask, undefined, this.#runs)
  }

  /** Notes that `run` issued the tool call `callId`, so that its result leads back to it. */
  issued(run: Run, callId: string): void {
    this.#byCall.set(callId, run)
  }

  /** Every turn that was served less often than the script says, and every conversation that never came. */
  unused(): Unused[] {
    return this.#script.conversations.flatMap((conversation) => {
      const runs = this.#runs.filter((run) => run.conversation === conversation)
      const counts = runs.length === 0 ? [conversation.turns.map(() => 0)] : runs.map(({ served }) => served)
      return counts.flatMap((served) =>
        conversation.turns.flatMap((turn, index) => {
          const count = served[index] ?? 0
          const expected = turn.times === Infinity ? 0 : turn.times
          return turn.optional || count >= expected
            ? []
            : [{ conversation: conversation.name, turn: turn.name, served: count, expected }]
        }),
      )
    })
  }

  #known(ask: Ask, prints: readonly string[]): Run | undefined {
    if (ask.thread !== undefined) return this.#byThread.get(ask.thread)
    for (const item of ask.items.toReversed()) {
      if (item.type !== 'result') continue
      const run = this.#byCall.get(item.callId)
      if (run !== undefined && run.thread === undefined) return run
    }
    for (const print of prints.toReversed()) {
      for (const run of this.#byHistory.get(print) ?? []) {
        const repeated = run.history.length === ask.items.length
        // The same first request again is a new conversation, unless the answer to it never arrived whole.
        if (repeated && !run.retryDue && run.conversation.scope === 'each') continue
        return run
      }
    }
    const alike = ask.items.length > 1 ? this.#byOpening.get(prints[0] ?? '') : undefined
    return alike?.size === 1 ? [...alike][0] : undefined
  }

  #isOpen(conversation: Conversation): boolean {
    return conversation.scope !== 'one' || !this.#byConversation.has(conversation)
  }

  #shared(conversation: Conversation): Run | undefined {
    return conversation.scope === 'all' ? this.#byConversation.get(conversation) : undefined
  }

  #take(run: Run, index: number, ask: Ask, prints: readonly string[]): Found {
    const turn = run.conversation.turns[index] as Turn
    const history = { length: ask.items.length, print: prints.at(-1) ?? '', opening: prints[0] ?? firstUser(ask) }
    const repeated =
      run.history.length === history.length && run.history.print === history.print && run.served.some((n) => n > 0)
    run.served[index] = (run.served[index] ?? 0) + 1
    if (run.conversation.order === 'strict') {
      const full = turn.times !== Infinity && (run.served[index] ?? 0) >= turn.times
      run.cursor = full ? index + 1 : index
    }
    this.#remember(run, ask, history)
    return { run, turn, turnIndex: index, repeated }
  }

  #remember(run: Run, ask: Ask, history: Run['history']): void {
    if (run.conversation.scope === 'all') return
    if (ask.thread !== undefined) this.#byThread.set(ask.thread, run)
    else {
      move(this.#byHistory, run, run.history.print, history.print)
      move(this.#byOpening, run, run.history.opening, history.opening)
    }
    run.history = history
  }
}

/** Takes `run` from its old place in `places` to its new one. */
function move(places: Map<string, Set<Run>>, run: Run, from: string, to: string): void {
  const old = places.get(from)
  old?.delete(run)
  if (old?.size === 0) places.delete(from)
  places.set(to, (places.get(to) ?? new Set()).add(run))
}

function newRun(number: number, conversation: Conversation, ask: Ask): Run {
  return {
    number,
    conversation,
    thread: ask.thread,
    served: conversation.turns.map(() => 0),
    cursor: 0,
    history: { length: -1, print: '', opening: '' },
    retryDue: false,
  }
}

/** Index of the turn of `run` that answers `ask`. */
function dueTurn(run: Run, ask: Ask): number | undefined {
  const { turns, order } = run.conversation
  if (order === 'any') {
    const index = turns.findIndex(
      (turn, at) => (run.served[at] ?? 0) < turn.times && differences(turn.expect, ask).length === 0,
    )
    return index === -1 ? undefined : index
  }
  for (let index = run.cursor; index < turns.length; index++) {
    const turn = turns[index] as Turn
    if (differences(turn.expect, ask).length === 0) return index
    if (!turn.optional) return undefined
  }
  return undefined
}
