/** What a config names when it names this package as an agent. */
import { isAbsolute } from 'node:path'
import type { AgentFactory } from '@loader-smoke/agent-sdk'
import { defaultAccount } from './account.ts'
import { CodexAgent } from './agent.ts'

/** Settings of an agent as a config writes them. */
export interface CodexSettings {
  /** The account's `CODEX_HOME`, an absolute path. Default: Codex' own, `~/.codex`. */
  readonly home?: string
  /** Whether `initialize` asks the CLI's installer for a newer version, over the network. Default: false. */
  readonly checkUpdates?: boolean
}

const rules = {
  home: {
    allowed: 'an absolute path',
    test: (value: unknown) => typeof value === 'string' && isAbsolute(value),
  },
  checkUpdates: { allowed: 'true or false', test: (value: unknown) => typeof value === 'boolean' },
} as const

/**
 * The factory of a Codex agent with these settings; the agent starts its app-server when it is first needed.
 * @throws TypeError that names the setting, what was given and what is allowed.
 */
export function createAgent(settings: CodexSettings = {}): AgentFactory {
  check(settings)
  const { home = null, checkUpdates = false } = settings
  return (host, emit) => {
    const agent = new CodexAgent({ host, account: { ...defaultAccount, home }, checkUpdates })
    agent.emit = emit
    return agent.definition()
  }
}

function check(settings: object): void {
  for (const [name, value] of Object.entries(settings)) {
    if (!isSetting(name))
      throw new TypeError(`codex-agent: there is no setting '${name}'. Settings: ${Object.keys(rules).join(', ')}.`)
    if (value !== undefined && !rules[name].test(value))
      throw new TypeError(`codex-agent: ${name} must be ${rules[name].allowed}, got ${JSON.stringify(value)}.`)
  }
}

function isSetting(name: string): name is keyof typeof rules {
  return Object.hasOwn(rules, name)
}
