/** A Codex account: who the agent is, and where its state is. */

/** One account. Plain data: store it, and hand it to `Accounts` again. */
export interface Account {
  /** The agent's id: `codex` for the user's own account, `codex-<name>` for the others. */
  readonly id: string
  readonly name: string
  /** Its `CODEX_HOME`, an absolute path; `null` is Codex' own default, `~/.codex`. */
  readonly home: string | null
}

/** The account of the user who runs the program. */
export const defaultAccount: Account = { id: 'codex', name: 'Codex', home: null }
