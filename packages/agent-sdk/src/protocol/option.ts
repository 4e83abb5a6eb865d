/** Settings of a session that the user may change. */

/** One value of an option. */
export interface OptionChoice {
  readonly value: string
  readonly label: string
  readonly description?: string
}

/** A setting with its choices. */
export interface AgentOption {
  readonly id: string
  readonly label: string
  /** What applies now; `null` when the agent decides. */
  readonly value: string | null
  readonly choices?: readonly OptionChoice[]
}

/** Option id → chosen value; an absent or undefined value leaves the agent's default. */
export type OptionValues = Record<string, string | undefined>
