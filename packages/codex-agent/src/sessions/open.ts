/** Opens threads: a new one, an earlier one, a copy, and one again that the server has lost. */
import { isAbsolute } from 'node:path'
import { type CreateSession, type HostTool, RefusedError, type ResumeSession } from '@loader-smoke/agent-sdk'
import type { Client } from '../connection/app-server.ts'
import { threadSettings } from '../options/settings.ts'
import type { Requests } from '../wire/generated/methods.ts'
import type { JsonValue } from '../wire/generated/types.ts'
import type { Chats } from './chats.ts'
import { newSession, type SessionState } from './state.ts'

/** Creates a session and registers it. */
export async function createSession(
  start: () => Promise<Client>,
  chats: Chats,
  session: CreateSession,
): Promise<string> {
  checkWorkspace(session.workspace)
  const client = await start()
  const { thread } = await client.request('thread/start', startParams(stateOf(session)))
  const sessionId = named(thread?.id, 'thread/start')
  chats.sessions.set(sessionId, stateOf(session, { prompted: false }))
  return sessionId
}

/** Opens an earlier session, or brings an open one up to date. */
export async function resumeSession(start: () => Promise<Client>, chats: Chats, session: ResumeSession): Promise<void> {
  checkWorkspace(session.workspace)
  const { sessionId } = session
  const open = chats.sessions.get(sessionId)
  const wanted = stateOf(session)
  const client = await start()
  await client.request('thread/resume', openParams(chats.threadOf(sessionId), wanted))
  if (open === undefined) {
    wanted.newInstructions = wanted.instructions
    chats.sessions.set(sessionId, wanted)
    return
  }
  if (wanted.instructions !== open.instructions) open.newInstructions = wanted.instructions
  // Its run goes on, and with it what is known of its turns.
  Object.assign(open, { workspace: wanted.workspace, instructions: wanted.instructions, loaded: true })
  Object.assign(open.options, wanted.options)
}

/** Copies a session into a new one and registers that. */
export async function forkSession(start: () => Promise<Client>, chats: Chats, session: ResumeSession): Promise<string> {
  checkWorkspace(session.workspace)
  const wanted = stateOf(session)
  const client = await start()
  const { thread } = await client.request('thread/fork', openParams(chats.threadOf(session.sessionId), wanted))
  const sessionId = named(thread?.id, 'thread/fork')
  const original = chats.sessions.get(session.sessionId)
  if (original?.instructions !== wanted.instructions) wanted.newInstructions = wanted.instructions
  chats.sessions.set(sessionId, wanted)
  return sessionId
}

/**
 * Makes sure that the running server has the session's thread loaded and sends its events. A thread without a message is stored
 * nowhere: when the server that held it has ended, a new one stands in for it.
 */
export async function ensureLoaded(client: Client, chats: Chats, sessionId: string): Promise<void> {
  const state = chats.session(sessionId)
  if (state.loaded) return
  try {
    await client.request('thread/resume', openParams(chats.threadOf(sessionId), state))
  } catch (error) {
    if (!(error instanceof RefusedError) || state.prompted || !/no rollout found/i.test(error.reason)) throw error
    const { thread } = await client.request('thread/start', startParams(state))
    chats.standIn(sessionId, named(thread?.id, 'thread/start'))
  }
  state.loaded = true
}

function stateOf({ workspace, options, tools, instructions }: CreateSession, { prompted = true } = {}): SessionState {
  return newSession(workspace, {
    options: options ?? {},
    tools: tools ?? [],
    instructions: instructions ?? null,
    prompted,
  })
}

function startParams({ workspace, options, instructions, tools }: SessionState): Requests['thread/start']['params'] {
  return {
    cwd: workspace,
    ...threadSettings(options),
    ...(instructions === null ? {} : { developerInstructions: instructions }),
    ...(tools.length === 0 ? {} : { dynamicTools: tools.map(toolSpec) }),
  }
}

/** The same for a resume and a fork. Without `excludeTurns` the whole history comes along, and a deprecation notice. */
function openParams(threadId: string, { workspace, options, instructions }: SessionState) {
  return {
    threadId,
    cwd: workspace,
    excludeTurns: true,
    ...threadSettings(options),
    ...(instructions === null ? {} : { developerInstructions: instructions }),
  }
}

function toolSpec({
  name,
  description,
  inputSchema,
}: HostTool): NonNullable<Requests['thread/start']['params']['dynamicTools']>[number] {
  // A JSON Schema is JSON; the host's type can't say so of a plain record.
  return { type: 'function', name, description, inputSchema: inputSchema as JsonValue }
}

/** A relative path would be resolved against the server's own folder, and a missing one accepted: neither is what was meant. */
function checkWorkspace(workspace: string): void {
  if (!isAbsolute(workspace))
    throw new Error(`the workspace is ${JSON.stringify(workspace)} (expected an absolute path)`)
}

function named(id: string | null | undefined, method: string): string {
  if (typeof id !== 'string' || id === '') throw new Error(`${method} failed: the answer names no thread`)
  return id
}
