/** The plugin's options: one table, from which the config's type, its check and the README's table come. */
import { isAbsolute } from 'node:path'
import type { AgentFactory, OptionValues } from '@loader-smoke/agent-sdk'
import { approvalPolicies, type ApprovalPolicy } from './agent/approval-policy.ts'

/** One option: values of type `Value`, and what applies when none is given. */
interface Option<Value, Default> {
  readonly says: string
  readonly allowed: string
  readonly default: Default
  /** The default in words, where it depends on the agent or on the place. */
  readonly defaultSays?: string
  test(value: Value | unknown): boolean
}

/** Every option of the plugin. */
export const options = {
  agent: {
    says: 'The module that makes the agent. It exports `createAgent(settings)`. Programs may pass the factory itself.',
    allowed: 'a package name, a path relative to the config file, or a factory',
    default: undefined,
    defaultSays: 'required',
    test: (value) => isText(value) || typeof value === 'function',
  } as Option<string | AgentFactory, undefined>,
  settings: {
    says: "Goes to `createAgent`; what it may hold is the module's matter.",
    allowed: 'an object',
    default: {},
    test: isRecord,
  } as Option<Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>>,
  id: {
    says: "Beginning of the session's id.",
    allowed: 'a text that is not empty',
    default: undefined,
    defaultSays: "the agent's own id",
    test: isText,
  } as Option<string, undefined>,
  workspace: {
    says: 'Folder that the agent works in.',
    allowed: 'the absolute path of a folder',
    default: undefined,
    defaultSays: 'the current folder of the process',
    test: (value) => isText(value) && isAbsolute(value),
  } as Option<string, undefined>,
  options: {
    says: "Settings of the agent's session by option id, such as `{ model: gpt-5.5, permission_mode: auto_edits }`. The agent checks them at the start.",
    allowed: 'an object of texts',
    default: {},
    test: (value) => isRecord(value) && Object.values(value).every((one) => typeof one === 'string'),
  } as Option<OptionValues, OptionValues>,
  instructions: {
    says: 'Instructions of the app to the model.',
    allowed: 'a text that is not empty',
    default: undefined,
    defaultSays: 'none',
    test: isText,
  } as Option<string, undefined>,
  tools: {
    says: "Names of the app's tools that the agent may call; they come from the service `tools`.",
    allowed: 'a list of names',
    default: [],
    test: (value) => Array.isArray(value) && value.every(isText),
  } as Option<readonly string[], readonly string[]>,
  approvals: {
    says: 'What happens when the agent asks for permission. `deny` refuses and fails the turn, `allow` grants once, `ask` asks through the service `approval`; a smoke refuses `ask`.',
    allowed: approvalPolicies.map((policy) => `'${policy}'`).join(', '),
    default: 'deny',
    test: (value) => approvalPolicies.includes(value as ApprovalPolicy),
  } as Option<ApprovalPolicy, ApprovalPolicy>,
  env: {
    says: "Environment of the agent's programs, over what the host gives them.",
    allowed: 'an object of texts, with null for a name to remove',
    default: {},
    test: (value) => isRecord(value) && Object.values(value).every((one) => one === null || typeof one === 'string'),
  } as Option<Readonly<Record<string, string | null>>, Readonly<Record<string, string | null>>>,
  programFolders: {
    says: 'Folders searched for programs before PATH.',
    allowed: 'a list of absolute paths',
    default: undefined,
    defaultSays: "each `node_modules/.bin` from the config's folder upwards, as npm does",
    test: (value) => Array.isArray(value) && value.every((one) => isText(one) && isAbsolute(one)),
  } as Option<readonly string[], undefined>,
  graceMs: {
    says: 'Time between the polite stop of a program and the forced one, in milliseconds.',
    allowed: 'a whole number from 0 to 2147483647',
    default: 2_000,
    test: (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 2_147_483_647,
  } as Option<number, number>,
}

type Options = typeof options
type ValueOf<Row> = Row extends Option<infer Value, unknown> ? Value : never
type DefaultOf<Row> = Row extends Option<never, infer Default> ? Default : never

/** Options of the plugin as a config gives them. What each means is in the table. */
export type Config = Pick<{ readonly [Name in keyof Options]: ValueOf<Options[Name]> }, 'agent'> & {
  readonly [Name in Exclude<keyof Options, 'agent'>]?: ValueOf<Options[Name]>
}

/** The options with their defaults; undefined where the default depends on the agent or the config's place. */
export type Spec = {
  readonly [Name in keyof Options]: ValueOf<Options[Name]> | DefaultOf<Options[Name]>
} & Pick<Required<Config>, 'agent' | 'workspace'>

/** Where the plugin runs, as far as it decides about options. */
export interface Place {
  readonly cwd: string
  /** A smoke drives this process: nobody can be asked. */
  readonly inSmoke: boolean
}

/**
 * Checks `config` and applies the defaults.
 * @throws TypeError that names the option, what was given and what is allowed.
 */
export function resolveConfig(config: unknown, { cwd, inSmoke }: Place): Spec {
  const given = config ?? {}
  if (!isRecord(given)) throw new TypeError(`agent-host: the config must be an object, got ${show(config)}.`)
  for (const [name, value] of Object.entries(given)) {
    if (!isOption(name))
      throw new TypeError(`agent-host: there is no option '${name}'. Options: ${Object.keys(options).join(', ')}.`)
    if (value !== undefined && !options[name].test(value))
      throw new TypeError(`agent-host: ${name} must be ${options[name].allowed}, got ${show(value)}.`)
  }
  if (given['agent'] === undefined)
    throw new TypeError(`agent-host: agent is missing; it must be ${options.agent.allowed}.`)
  if (given['approvals'] === 'ask' && inSmoke)
    throw new TypeError(
      "agent-host: approvals is 'ask', but in a smoke nobody can be asked. Next: patch the config that the smoke boots with `approvals: allow`, or with `deny` when the agent must not ask.",
    )
  const entries = Object.entries(options).map(([name, row]) => [name, given[name] ?? row.default])
  // Each value was checked against its row above.
  return { ...(Object.fromEntries(entries) as Spec), workspace: (given['workspace'] as string | undefined) ?? cwd }
}

function isOption(name: string): name is keyof Options {
  return Object.hasOwn(options, name)
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
