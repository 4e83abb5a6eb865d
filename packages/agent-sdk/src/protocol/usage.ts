/** How much an account may still use, and when it may again. */

/** One meter of an account. */
export interface UsageWindow {
  /** For a person, e.g. `5 hours`. */
  readonly label: string
  /** 0 to 100; may exceed 100. */
  readonly usedPercent: number
  /** ISO 8601. */
  readonly resetsAt?: string
}

/**
 * Whether the account may be used now. Only the provider's own word makes it `allowed` or `blocked`: a meter below 100 %
 * proves nothing, and one at 100 % neither.
 */
export interface Recovery {
  /** The account that this is about; `null` when the provider named none. */
  readonly identity: string | null
  readonly availability: 'allowed' | 'blocked' | 'unknown'
  /** ISO 8601; when the last exhausted meter resets. */
  readonly resetsAt?: string
  /** The meter that limits, when it is not the agent's ordinary one. */
  readonly scope?: string
}

/** An account's meters. */
export interface UsageLimits {
  readonly windows: readonly UsageWindow[]
  readonly recovery: Recovery
}
