/** The plugin's options: what may be written in a config, checked before anything starts. */
import { isAbsolute } from 'node:path'
import type { AgentFactory, OptionValues } from '@loader-smoke/agent-sdk'
import { approvalPolicies, type ApprovalPolicy } from './agent/approval-policy.ts'

/** Options of the plugin as a config gives them. */
export interface Config {
  /** The module that makes the agent: a package name, or a path relative to the config file. Programs may pass the factory itself. */
  readonly agent: string | AgentFactory
  /** Goes to the module's `createAgent`; what it may hold is the module's matter. Default: `{}`. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** Beginning of the session's id. Default: the agent's own id. */
  readonly id?: string
  /** Absolute path of the folder that the agent works in. Default: the current folder of the process. */
  readonly workspace?: string
  /** Settings of the agent's session by option id, such as `{ model: gpt-5.5, permission_mode: auto_edits }`. Default: the agent's own. */
  readonly options?: OptionValues
  /** Instructions of the app to the model. Default: none. */
  readonly instructions?: string
  /** Names of the app's tools that the agent may call; they come from the service `tools`. Default: none. */
  readonly tools?: readonly string[]
  /** What happens when the agent asks for permission: `deny` (default), `allow`, or `ask`, which a smoke refuses. */
  readonly approvals?: ApprovalPolicy
  /** Environment of the agent's programs, over what the host gives them; `null` removes a name. Default: `{}`. */
  readonly env?: Readonly<Record<string, string | null>>
  /** Folders searched for programs before PATH. Default: each `node_modules/.bin` from the config's folder upwards, as npm does. */
  readonly programFolders?: readonly string[]
  /** Time between the polite stop of a program and the forced one, in milliseconds. Default: 2,000. */
  readonly graceMs?: number
}

/** The options with every default applied, but those that depend on the agent or the config's place. */
export interface Spec {
  readonly agent: string | AgentFactory
  readonly settings: Readonly<Record<string, unknown>>
  readonly id: string | undefined
  readonly workspace: string
  readonly options: OptionValues
  readonly instructions: string | undefined
  readonly tools: readonly string[]
  readonly approvals: ApprovalPolicy
  readonly env: Readonly<Record<string, string | null>>
  readonly programFolders: readonly string[] | undefined
  readonly graceMs: number
}

/** Where the plugin runs, as far as it decides about options. */
export interface Place {
  readonly cwd: string
  /** A smoke drives this process: nobody can be asked. */
  readonly inSmoke: boolean
}

interface Rule {
  readonly allowed: string
  test(value: unknown): boolean
}

const rules: Readonly<Record<keyof Config, Rule>> = {
  agent: {
    allowed: 'a package name, a path relative to the config file, or a factory',
    test: (value) => (typeof value === 'string' && value !== '') || typeof value === 'function',
  },
  settings: { allowed: 'an object', test: isRecord },
  id: { allowed: 'a text that is not empty', test: isText },
  workspace: { allowed: 'the absolute path of a folder', test: (value) => isText(value) && isAbsolute(value) },
  options: {
    allowed: 'an object of texts',
    test: (value) => isRecord(value) && Object.values(value).every((one) => typeof one === 'string'),
  },
  instructions: { allowed: 'a text that is not empty', test: isText },
  tools: { allowed: 'a list of names', test: (value) => Array.isArray(value) && value.every(isText) },
  approvals: {
    allowed: approvalPolicies.map((policy) => `'${policy}'`).join(', '),
    test: (value) => approvalPolicies.includes(value as ApprovalPolicy),
  },
  env: {
    allowed: 'an object of texts, with null for a name to remove',
    test: (value) => isRecord(value) && Object.values(value).every((one) => one === null || typeof one === 'string'),
  },
  programFolders: {
    allowed: 'a list of absolute paths',
    test: (value) => Array.isArray(value) && value.every((one) => isText(one) && isAbsolute(one)),
  },
  graceMs: {
    allowed: 'a whole number from 0 to 2147483647',
    test: (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 2_147_483_647,
  },
}

/**
 * Checks `config` and applies the defaults.
 * @throws TypeError that names the option, what was given and what is allowed.
 */
export function resolveConfig(config: unknown, { cwd, inSmoke }: Place): Spec {
  const given = config ?? {}
  if (!isRecord(given)) throw new TypeError(`agent-host: the config must be an object, got ${show(config)}.`)
  for (const [name, value] of Object.entries(given)) {
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof Config] : undefined
    if (rule === undefined)
      throw new TypeError(`agent-host: there is no option '${name}'. Options: ${Object.keys(rules).join(', ')}.`)
    if (value !== undefined && !rule.test(value))
      throw new TypeError(`agent-host: ${name} must be ${rule.allowed}, got ${show(value)}.`)
  }
  const checked = given as unknown as Config
  if (checked.agent === undefined)
    throw new TypeError(`agent-host: agent is missing; it must be ${rules.agent.allowed}.`)
  if (checked.approvals === 'ask' && inSmoke)
    throw new TypeError(
      "agent-host: approvals is 'ask', but in a smoke nobody can be asked. Next: patch the config that the smoke boots with `approvals: allow`, or with `deny` when the agent must not ask.",
    )
  return {
    agent: checked.agent,
    settings: checked.settings ?? {},
    id: checked.id,
    workspace: checked.workspace ?? cwd,
    options: checked.options ?? {},
    instructions: checked.instructions,
    tools: checked.tools ?? [],
    approvals: checked.approvals ?? 'deny',
    env: checked.env ?? {},
    programFolders: checked.programFolders,
    graceMs: checked.graceMs ?? 2_000,
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What kind of value it is; the value itself may be a secret, unless it is a short word. */
function show(value: unknown): string {
  if (typeof value === 'string') return value.length <= 20 ? `'${value}'` : `a text of ${value.length} characters`
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value)
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`
}
