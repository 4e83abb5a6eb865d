/** What a turn needs of the app it is driven in, as structural types: any context with these members can be driven. */

/** A session as events carry it. */
export interface SessionRef {
  readonly id: string
}

/**
 * One entry of a session's log.
 * The payload's shape depends on `type` and belongs to the package that wrote the event, so it isn't typed here:
 * a turn reads only the members that `envelope.ts` names, and an observer narrows by `type` itself.
 */
export interface SessionEvent {
  readonly type: string
  readonly data: any
  readonly seq?: number
  readonly time?: number
}

/** An agent that can be given a task. Messages are `never` here because their exact type (a branded id) is the agent's own. */
export interface RootAgent {
  readonly session: SessionRef
  /** What waits for a turn or a step, where the agent tells. */
  readonly inbox?: {
    readonly nextTurn: readonly { readonly id: unknown }[]
    readonly nextStep: readonly { readonly id: unknown }[]
  }
  /** Resolves when the agent has nothing left to do. */
  whenIdle(): Promise<unknown>
  /** Queues `message` as a turn of its own and wakes the agent. */
  followup(message: never): unknown
}

/** The service `agents`. */
export interface AgentRegistry {
  /** The agents that no other agent owns, published ones only. */
  roots(): readonly RootAgent[]
  /** Newer registries confirm receipt: resolves when the message is durably in the inbox. */
  sendInput?(agent: never, input: never): unknown
}

/** The context that `boot()` returned, with the services of DeepSeek Harness or of anything shaped like it. */
export interface FixtureContext {
  get(name: 'agents'): AgentRegistry | undefined
  /** Returns what removes the listener. */
  on(name: 'agent/created', listener: () => void): () => unknown
  on(name: 'session/event', listener: (session: SessionRef, event: SessionEvent) => void): () => unknown
  /** The service `sessions`. Optional in the type only, because a context's own type lists a service only where its package is imported. */
  readonly sessions?: { flush(session: SessionRef): Promise<unknown> | unknown }
}
