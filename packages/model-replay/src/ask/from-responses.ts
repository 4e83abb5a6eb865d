/**
 * Reads an OpenAI Responses request, also as the Codex CLI sends it.
 * @see https://platform.openai.com/docs/api-reference/responses/create
 */
import { type Ask, AskError, checkPairing, type Item, type OfferedTool } from './ask.ts'
import type { Caller } from './caller.ts'
import { type Json, readList, readModel, readRecord, readStream, readString, readText } from './read.ts'

/** Looks up the conversation up to an earlier response of this server. */
export type Recall = (responseId: string) => readonly Item[] | undefined

/** @throws AskError when the service would refuse the request */
export function fromResponses(body: Json, caller: Caller, recall: Recall): Ask {
  const read: Collected = {
    items: [...recallItems(body, recall)],
    system: [],
    tools: fromTools(body['tools'], '"tools"'),
  }
  if (body['instructions'] !== undefined && body['instructions'] !== null)
    read.system.push(readString(body['instructions'], '"instructions"'))
  const { input } = body
  if (typeof input === 'string') read.items.push({ type: 'user', text: input, note: false })
  else
    readList(input, '"input"').forEach((entry, index) =>
      collect(readRecord(entry, `input[${index}]`), `input[${index}]`, read),
    )
  if (read.items.length === 0) throw new AskError('"input" holds no message.')
  checkPairing(read.items)
  return {
    ...caller,
    thread: caller.thread ?? conversationOf(body),
    dialect: 'responses',
    model: readModel(body),
    stream: readStream(body),
    includeUsage: true,
    system: read.system.join('\n'),
    items: read.items,
    tools: read.tools,
  }
}

interface Collected {
  readonly items: Item[]
  readonly system: string[]
  readonly tools: OfferedTool[]
}

function collect(item: Json, at: string, { items, system, tools }: Collected): void {
  const type = item['type'] ?? 'message'
  switch (type) {
    case 'message':
      collectMessage(item, at, items, system)
      return
    case 'additional_tools':
      // gpt-6 models of the Codex CLI get their tools as the first input item.
      tools.push(...fromTools(item['tools'], `${at}.tools`))
      return
    case 'agent_message':
      items.push(fromAgentMessage(item, at))
      return
    case 'reasoning':
    case 'item_reference':
      return
    default:
      collectOther(item, readString(type, `${at}.type`), at, items)
  }
}

function collectMessage(item: Json, at: string, items: Item[], system: string[]): void {
  const text = readText(item['content'], `${at}.content`)
  switch (item['role']) {
    case 'user':
      items.push({ type: 'user', text, note: NOTE.test(text) })
      return
    case 'assistant':
      items.push({ type: 'assistant', text })
      return
    case 'system':
    case 'developer':
      system.push(text)
      return
    default:
      throw new AskError(`${at}.role is ${JSON.stringify(item['role'])}.`)
  }
}

/** Notes that the Codex CLI puts in as messages of the user. */
const NOTE =
  /^\s*(?:<(?:environment_context|turn_aborted|skill|subagent_notification|user_instructions|user_shell_command|permissions)\b|# AGENTS\.md instructions)/

/** Calls and results of every kind: function, custom, local shell, tool search. */
function collectOther(item: Json, type: string, at: string, items: Item[]): void {
  const callId = item['call_id']
  if (typeof callId !== 'string') {
    // Items of hosted tools (web_search_call) are said and answered by the service itself.
    items.push({ type: 'assistant', text: `[${type}]` })
  } else if (type.endsWith('_output')) {
    const { output } = item
    const text = output === undefined ? JSON.stringify(item) : readOutput(output, at)
    items.push({ type: 'result', callId, text })
  } else {
    const name = typeof item['name'] === 'string' ? item['name'] : type
    const input = item['arguments'] ?? item['input'] ?? item['action'] ?? ''
    items.push({ type: 'call', id: callId, name, input: typeof input === 'string' ? input : JSON.stringify(input) })
  }
}

function readOutput(output: unknown, at: string): string {
  return typeof output === 'string' || Array.isArray(output) ? readText(output, `${at}.output`) : JSON.stringify(output)
}

/** What one agent of the Codex CLI writes to another. A final answer comes beside a tool result and is no new prompt. */
function fromAgentMessage(item: Json, at: string): Item {
  const text = agentText(item, at)
  return { type: 'user', text, note: text.startsWith('Message Type: FINAL_ANSWER') }
}

/** The payload stands in `encrypted_content`, of the item or of one of its parts. */
function agentText(item: Json, at: string): string {
  const { content, encrypted_content: sealed } = item
  if (typeof sealed === 'string') return sealed
  if (!Array.isArray(content)) return readText(content, `${at}.content`)
  return content
    .map((part, index) => {
      const { text, encrypted_content: inner, type } = readRecord(part, `${at}.content[${index}]`)
      return typeof text === 'string' ? text : typeof inner === 'string' ? inner : `[${String(type)}]`
    })
    .join('')
}

function fromTools(tools: unknown, at: string): OfferedTool[] {
  if (tools === undefined || tools === null) return []
  return readList(tools, at).flatMap((entry, index): OfferedTool[] => {
    const tool = readRecord(entry, `${at}[${index}]`)
    const type = readString(tool['type'], `${at}[${index}].type`)
    const name = typeof tool['name'] === 'string' ? tool['name'] : type
    if (type !== 'namespace') return [{ name, namespace: undefined }]
    return fromTools(tool['tools'], `${at}[${index}].tools`).map((inner) => ({ name: inner.name, namespace: name }))
  })
}

function recallItems(body: Json, recall: Recall): readonly Item[] {
  const previous = body['previous_response_id']
  if (previous === undefined || previous === null) return []
  const items = recall(readString(previous, '"previous_response_id"'))
  if (items === undefined)
    throw new AskError(
      `the previous response ${JSON.stringify(previous)} is not one of this server, or one that it has forgotten.`,
    )
  return items
}

function conversationOf(body: Json): string | undefined {
  const { conversation } = body
  if (typeof conversation === 'string') return conversation
  const id = typeof conversation === 'object' && conversation !== null ? (conversation as Json)['id'] : undefined
  return typeof id === 'string' ? id : undefined
}
