/** An agent on a fake host. */
import type { HostApi } from '@loader-smoke/agent-sdk'
import { CodexAgent } from '../../src/agent.ts'

/** Makes the default account's agent; nothing of this machine's environment reaches it. */
export function testAgent(
  api: HostApi,
  env: Readonly<Record<string, string>> = { HOME: '/home/somebody' },
): CodexAgent {
  return new CodexAgent({ host: api, env })
}
