/** Finds the agent that a config names: a module whose `createAgent(settings)` makes the factory. */
import { createRequire } from 'node:module'
import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AgentFactory } from '@loader-smoke/agent-sdk'

/** What a module must export to be named as an agent. */
export interface AgentModule {
  /** Makes the factory of an agent with these settings. Throws a TypeError that names a wrong one. */
  createAgent(settings: Readonly<Record<string, unknown>>): AgentFactory
}

/**
 * The factory that `agent` names. Package names are looked for from the folder of the config, so the package that owns the config
 * declares the agent; only when they aren't found there, from here.
 * @throws Error that names the module and the folder.
 */
export async function loadFactory(
  agent: string | AgentFactory,
  settings: Readonly<Record<string, unknown>>,
  baseUrl: string,
): Promise<AgentFactory> {
  if (typeof agent === 'function') return agent
  const { createAgent } = await load(agent, baseUrl)
  if (typeof createAgent !== 'function')
    throw new TypeError(
      `agent-host: agent '${agent}' has no export createAgent. Next: name a module that exports createAgent(settings), which returns an AgentFactory of @loader-smoke/agent-sdk.`,
    )
  return createAgent(settings)
}

async function load(agent: string, baseUrl: string): Promise<Partial<AgentModule>> {
  const url = agent.startsWith('.')
    ? new URL(agent, baseUrl).href
    : isAbsolute(agent)
      ? pathToFileURL(agent).href
      : fromPackage(agent, baseUrl)
  try {
    return await import(url)
  } catch (cause) {
    throw new Error(
      `agent-host: agent '${agent}' was not loaded, looked for from ${baseUrl}: ${(cause as Error).message} Next: install it in the package that owns the config.`,
      { cause },
    )
  }
}

function fromPackage(name: string, baseUrl: string): string {
  try {
    return pathToFileURL(createRequire(new URL('config', baseUrl)).resolve(name)).href
  } catch {
    // Not there, or only for `import`: the import below finds it from here, or says what is wrong.
    return name
  }
}
