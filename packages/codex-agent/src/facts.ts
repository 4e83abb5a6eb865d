/** What the agent tells about itself, and how its account is signed in. */
import type {
  AgentInfo,
  AgentStatus,
  HostApi,
  Maintenance,
  SignIn,
  SignInResult,
  UsageLimits,
} from '@loader-smoke/agent-sdk'
import { checkMaintenance, type Maintained } from '@loader-smoke/agent-sdk/maintenance'
import type { Client } from './connection/app-server.ts'
import { versionWarning } from './connection/version.ts'
import { icon } from './icon.ts'
import type { Meter } from './limits/meter.ts'
import type { Requests } from './wire/generated/methods.ts'

/** Whether the account is signed in, or needs no sign-in. A server that does not tell is taken to be ready: a turn says more. */
async function readStatus(client: Client): Promise<AgentStatus> {
  const { account, requiresOpenaiAuth } = await client
    .request('account/read', {})
    .catch(() => ({ account: null, requiresOpenaiAuth: false }))
  return !account && requiresOpenaiAuth === true
    ? { state: 'auth_required', message: 'Sign in with `codex login`' }
    : { state: 'ready' }
}

/** What the agent tells of itself. `checkedBy` asks the CLI's installer for a newer version; `null` leaves that out. */
export async function readInfo(
  client: Client,
  meter: Meter,
  about: { readonly id: string; readonly home: string; readonly checkedBy: HostApi | null },
): Promise<AgentInfo> {
  const { version } = client
  const { id, home, checkedBy } = about
  const [status, usageLimits, maintenance] = await Promise.all([
    readStatus(client),
    meter.read(client).catch(() => null),
    checkedBy === null ? null : checkMaintenance(checkedBy, maintained(version)),
  ])
  return agentInfo({ id, home, version, status, usageLimits, maintenance })
}

function agentInfo(facts: {
  readonly id: string
  readonly home: string
  readonly version: string | null
  readonly status: AgentStatus
  readonly usageLimits: UsageLimits | null
  readonly maintenance: Maintenance | null
}): AgentInfo {
  const { id, home, version, status, usageLimits, maintenance } = facts
  const warning = versionWarning(version)
  return {
    id,
    version,
    status,
    capabilities: { subagents: true, slashCommands: false, steering: true, fork: true, rollback: true, compact: true },
    family: 'codex',
    continuationKey: home,
    icon,
    usageLimits,
    ...(maintenance === null ? {} : { maintenance }),
    warnings: warning === null ? [] : [warning],
  }
}

/** The CLI as its installer knows it. */
export function maintained(installedVersion: string | null): Maintained {
  return { program: 'codex', npmPackage: '@openai/codex', homebrewCask: 'codex', installedVersion }
}

/** Begins to sign in, and opens the page on which the user ends it. */
export async function beginSignIn(client: Client, host: HostApi, signIn: SignIn): Promise<SignInResult> {
  const answer = await client.request('account/login/start', loginParams(signIn))
  const url = answer.authUrl ?? answer.verificationUrl
  if (!url) return {}
  const { opened, reason } = await host.openUrl(url)
  const code = answer.userCode
  // With a code the user can go there on any device; without one only this machine's browser will do.
  if (!opened && !code)
    throw new Error(`open ${url} in a browser to sign in (${reason ?? 'the host could not open it'})`)
  return { url, ...(code ? { code } : {}) }
}

function loginParams(signIn: SignIn): Requests['account/login/start']['params'] {
  switch (signIn.method) {
    case 'chatgpt':
      return { type: 'chatgpt' }
    case 'device_code':
      return { type: 'chatgptDeviceCode' }
    case 'api_key':
      return { type: 'apiKey', apiKey: signIn.apiKey }
    default:
      throw new Error(
        `codex has no sign-in method ${JSON.stringify(Reflect.get(signIn, 'method'))} (expected chatgpt, device_code or api_key)`,
      )
  }
}
