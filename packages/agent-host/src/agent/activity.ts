/** Whether an agent is at work, and with what: turns or maintenance, one at a time. Work that comes meanwhile is remembered. */
import type { AgentCancelCause, AgentStatus } from '@deepseek-ai/dsh-agent'

/** What an activity asks of its agent. */
export interface ActivityHandlers {
  onStatus(status: AgentStatus): void
  /** Plays turns until none waits. Must not reject. */
  drive(): Promise<void>
  /** Whether something waits that nobody has to wake the agent for. */
  hasOwnWork(): boolean
  /** Whether messages wait. */
  hasMessages(): boolean
}

type Phase =
  | { readonly kind: 'idle' }
  | { readonly kind: 'maintenance' | 'running'; readonly abort: AbortController; wakeRequested: boolean }

/** The activity of one agent. */
export class Activity {
  readonly #handlers: ActivityHandlers
  #phase: Phase = { kind: 'idle' }
  #ended: Promise<void> = Promise.resolve()

  constructor(handlers: ActivityHandlers) {
    this.#handlers = handlers
  }

  /** Maintenance is no work that shows. */
  get status(): AgentStatus {
    return this.#phase.kind === 'running' ? 'running' : 'idle'
  }

  /** Aborted when the present work is; never, when there is none. */
  get signal(): AbortSignal {
    return this.#phase.kind === 'idle' ? new AbortController().signal : this.#phase.abort.signal
  }

  /** Starts to drive; during maintenance, and behind an abort, once that has ended. */
  wake(afterAbort = false): void {
    if (this.#phase.kind !== 'idle') {
      const disposed = (this.#phase.abort.signal.reason as AgentCancelCause | undefined)?.kind === 'disposed'
      if (!disposed && (this.#phase.kind === 'maintenance' || afterAbort)) this.#phase.wakeRequested = true
      return
    }
    this.#enter({ kind: 'running', abort: new AbortController(), wakeRequested: false })
    this.#ended = this.#handlers.drive().finally(() => this.#rest())
  }

  /** The next turn can be aborted by itself. */
  renew(): void {
    if (this.#phase.kind === 'running')
      this.#phase = { ...this.#phase, abort: new AbortController(), wakeRequested: false }
  }

  /** Aborts the present work with `cause`; the first cause wins. Nothing happens when there is none. */
  abort(cause: AgentCancelCause): void {
    if (this.#phase.kind !== 'idle') this.#phase.abort.abort(cause)
  }

  /** Messages that asked for work are gone. */
  forgetWake(): void {
    if (this.#phase.kind !== 'idle') this.#phase.wakeRequested = false
  }

  /** Resolves when no work is left, also none that followed the present one. */
  async whenIdle(): Promise<void> {
    for (let ended = this.#ended; ; ended = this.#ended) {
      await ended
      if (ended === this.#ended) return
    }
  }

  /** Runs `task` as the only work. @throws when there is other work; @returns what the task returns. */
  maintain<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#phase.kind !== 'idle') throw new Error('the agent already has active work')
    const abort = new AbortController()
    this.#enter({ kind: 'maintenance', abort, wakeRequested: false })
    const result = (async () => task(abort.signal))().finally(() => this.#rest())
    this.#ended = result.then(noValue, noValue)
    return result
  }

  /** Back to idle, then at once to the work that came meanwhile. */
  #rest(): void {
    const wanted = this.#phase.kind !== 'idle' && this.#phase.wakeRequested && this.#handlers.hasMessages()
    this.#enter({ kind: 'idle' })
    if (wanted || this.#handlers.hasOwnWork()) this.wake()
  }

  #enter(phase: Phase): void {
    const before = this.status
    this.#phase = phase
    if (this.status !== before) this.#handlers.onStatus(this.status)
  }
}

/** The result goes to whoever asked for the task; here only its end counts. */
function noValue(): void {}
