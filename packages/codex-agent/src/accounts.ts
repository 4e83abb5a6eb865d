/** Codex accounts side by side: each has its own `CODEX_HOME`, its own app-server and its own agent. */
import { isAbsolute, join, resolve } from 'node:path'
import type { Event, HostApi } from '@loader-smoke/agent-sdk'
import { type Account, defaultAccount } from './account.ts'
import { CodexAgent } from './agent.ts'
import { codexHome } from './connection/home.ts'

/** What all accounts of a host share. */
export interface AccountsOptions {
  readonly host: HostApi
  /** Events of all accounts, with the account they come from. */
  readonly emit: (account: Account, event: Event) => void
  /** Where homes of new accounts are; absolute. Default `~/.codex-accounts`. */
  readonly root?: string
  /** Default `process.env`; only HOME and USERPROFILE are read. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Accounts that exist already; default the user's own. */
  readonly accounts?: readonly Account[]
}

/** The accounts of a host. */
export class Accounts {
  readonly #agents = new Map<string, CodexAgent>()
  readonly #options: AccountsOptions
  readonly #env: Readonly<Record<string, string | undefined>>

  constructor(options: AccountsOptions) {
    this.#options = options
    this.#env = options.env ?? process.env
    for (const account of options.accounts ?? [defaultAccount]) this.#add(account)
  }

  /** All accounts, in the order in which they came. */
  list(): readonly Account[] {
    return [...this.#agents.values()].map(({ account }) => account)
  }

  /** The agent of an account; `undefined` when there is none of this id. */
  agent(id: string): CodexAgent | undefined {
    return this.#agents.get(id)
  }

  /**
   * Adds an account named by lower-case letters, digits and dashes. Its folder is made by the host when its app-server first starts.
   * Throws when the name is not of this form, or taken.
   */
  create(name: string): CodexAgent {
    if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(name))
      throw new Error(
        `the account name is ${JSON.stringify(name)} (expected 1 to 63 lower-case letters, digits and dashes, the first not a dash)`,
      )
    const root = this.#options.root ?? join(codexHome(null, this.#env), '..', '.codex-accounts')
    return this.#add({ id: `codex-${name}`, name: `Codex (${name})`, home: join(root, name) })
  }

  /** Ends the account's app-server and forgets the account; resolves when the process is gone. Its folder stays: it holds the login. */
  async remove(id: string): Promise<void> {
    const agent = this.#agents.get(id)
    if (agent === undefined)
      throw new Error(`there is no Codex account ${id} (expected one of: ${[...this.#agents.keys()].join(', ')})`)
    this.#agents.delete(id)
    await agent.dispose()
  }

  /** Ends the app-servers of all accounts. */
  async dispose(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.dispose()))
  }

  #add(account: Account): CodexAgent {
    const { id, home } = account
    if (this.#agents.has(id)) throw new Error(`there is already a Codex account ${id}`)
    if (home !== null && !isAbsolute(home))
      throw new Error(`the home of account ${id} is ${JSON.stringify(home)} (expected an absolute path)`)
    const folder = resolve(codexHome(home, this.#env))
    const shared = this.list().find((other) => resolve(codexHome(other.home, this.#env)) === folder)
    if (shared !== undefined)
      throw new Error(`accounts ${shared.id} and ${id} have the same home ${folder}: give one of them another`)
    const { host, emit } = this.#options
    const agent = new CodexAgent({ host, account, env: this.#env })
    agent.emit = (event) => emit(account, event)
    this.#agents.set(id, agent)
    return agent
  }
}
