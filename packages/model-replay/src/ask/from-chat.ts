/** Reads a Chat Completions request. @see https://platform.openai.com/docs/api-reference/chat/create */
import { type Ask, AskError, checkPairing, type Item, type OfferedTool } from './ask.ts'
import { type Json, readList, readModel, readRecord, readStream, readString, readText } from './read.ts'
import type { Caller } from './caller.ts'

/** @throws AskError when the service would refuse the request */
export function fromChat(body: Json, caller: Caller): Ask {
  const items: Item[] = []
  const system: string[] = []
  const messages = readList(body['messages'], '"messages"')
  if (messages.length === 0) throw new AskError('"messages" is empty.')
  messages.forEach((entry, index) => {
    const at = `messages[${index}]`
    const message = readRecord(entry, at)
    const text = () => readText(message['content'], `${at}.content`)
    switch (message['role']) {
      case 'system':
      case 'developer':
        system.push(text())
        break
      case 'user':
        items.push({ type: 'user', text: text(), note: false })
        break
      case 'assistant':
        items.push(...fromAssistant(message, text(), at))
        break
      case 'tool':
        items.push({ type: 'result', callId: readString(message['tool_call_id'], `${at}.tool_call_id`), text: text() })
        break
      default:
        throw new AskError(`${at}.role is ${JSON.stringify(message['role'])}.`)
    }
  })
  checkPairing(items)
  const streamOptions = body['stream_options']
  return {
    ...caller,
    dialect: 'chat',
    model: readModel(body),
    stream: readStream(body),
    includeUsage:
      streamOptions !== undefined &&
      streamOptions !== null &&
      readRecord(streamOptions, '"stream_options"')['include_usage'] === true,
    system: system.join('\n'),
    items,
    tools: fromTools(body['tools']),
  }
}

function fromAssistant(message: Json, text: string, at: string): Item[] {
  const calls = message['tool_calls'] ?? []
  return [
    ...(text === '' ? [] : [{ type: 'assistant', text } as const]),
    ...readList(calls, `${at}.tool_calls`).map((entry, index) => {
      const where = `${at}.tool_calls[${index}]`
      const call = readRecord(entry, where)
      const custom = call['type'] === 'custom'
      const inner = readRecord(call[custom ? 'custom' : 'function'], `${where}.${custom ? 'custom' : 'function'}`)
      return {
        type: 'call',
        id: readString(call['id'], `${where}.id`),
        name: readString(inner['name'], `${where} name`),
        input: readString(inner[custom ? 'input' : 'arguments'], `${where} ${custom ? 'input' : 'arguments'}`),
      } as const
    }),
  ]
}

function fromTools(tools: unknown): OfferedTool[] {
  if (tools === undefined || tools === null) return []
  return readList(tools, '"tools"').map((entry, index) => {
    const at = `tools[${index}]`
    const tool = readRecord(entry, at)
    const key = tool['type'] === 'custom' ? 'custom' : 'function'
    return { name: readString(readRecord(tool[key], `${at}.${key}`)['name'], `${at} name`), namespace: undefined }
  })
}
