/** One accepted request of the user: what goes in, and how it ends. */

/** One block of a prompt. A skill's `input` is text for the skill, `''` when there is none. */
export type PromptBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'skill'; readonly name: string; readonly input: string }

/** Identifies one attempt to deliver one input, so that the host learns what became of it. */
export interface Delivery {
  readonly inputId: string
  /** New for every attempt at the same input. */
  readonly attemptId: string
  readonly intent: 'send' | 'steer'
}

/** What the user asks for. */
export interface PromptInput {
  readonly blocks: readonly PromptBlock[]
  /** The host's id of the message; {@link AgentDefinition.rollback} accepts it later. */
  readonly itemId?: string
  readonly delivery?: Delivery
}

/** Proof that the agent took an input. `native_admission`: the agent's own reply said so. */
export interface Receipt {
  readonly evidence: 'native_admission'
  readonly nativeInputId: string
}

/** The answer to a prompt. The run ends later, with a `run_finished` event of the same `runId`. */
export interface PromptResult {
  readonly runId: string
  /** Only for an input with a delivery that joined a running turn. */
  readonly receipt?: Receipt
}

/** How a run ended. `message` is for a person. */
export type Outcome =
  | { readonly status: 'completed' }
  | { readonly status: 'cancelled' }
  | { readonly status: 'failed'; readonly message: string }
