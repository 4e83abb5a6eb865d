/** Reads an Anthropic Messages request. @see https://docs.claude.com/en/api/messages */
import { type Ask, AskError, checkPairing, type Item } from './ask.ts'
import type { Caller } from './caller.ts'
import { type Json, readList, readModel, readRecord, readStream, readString, readText } from './read.ts'

/** @throws AskError when the service would refuse the request */
export function fromMessages(body: Json, caller: Caller): Ask {
  const maxTokens = body['max_tokens']
  if (typeof maxTokens !== 'number' || !Number.isInteger(maxTokens) || maxTokens < 1)
    throw new AskError('"max_tokens" is not a whole number above 0.')
  const messages = readList(body['messages'], '"messages"')
  if (messages.length === 0) throw new AskError('"messages" is empty.')
  const system = [readText(body['system'], '"system"')]
  const items = messages.flatMap((entry, index) => {
    const at = `messages[${index}]`
    const message = readRecord(entry, at)
    if (message['role'] !== 'system') return fromMessage(message, at)
    system.push(readText(message['content'], `${at}.content`))
    return []
  })
  checkPairing(items)
  return {
    ...caller,
    dialect: 'messages',
    model: readModel(body),
    stream: readStream(body),
    includeUsage: true,
    system: system.filter((text) => text !== '').join('\n'),
    items,
    tools: readList(body['tools'] ?? [], '"tools"').map((entry, index) => ({
      name: readString(readRecord(entry, `tools[${index}]`)['name'], `tools[${index}].name`),
      namespace: undefined,
    })),
  }
}

function fromMessage({ role, content }: Json, at: string): Item[] {
  if (role !== 'user' && role !== 'assistant') throw new AskError(`${at}.role is ${JSON.stringify(role)}.`)
  if (typeof content === 'string') return [plain(role, content)]
  return readList(content, `${at}.content`).flatMap((entry, index) => {
    const where = `${at}.content[${index}]`
    const block = readRecord(entry, where)
    switch (block['type']) {
      case 'text':
        return [plain(role, readString(block['text'], `${where}.text`))]
      case 'tool_use':
        return [
          {
            type: 'call',
            id: readString(block['id'], `${where}.id`),
            name: readString(block['name'], `${where}.name`),
            input: JSON.stringify(block['input'] ?? {}),
          },
        ]
      case 'tool_result':
        return [
          {
            type: 'result',
            callId: readString(block['tool_use_id'], `${where}.tool_use_id`),
            text: readText(block['content'], `${where}.content`),
          },
        ]
      case 'thinking':
      case 'redacted_thinking':
        return []
      default:
        return [plain(role, `[${readString(block['type'], `${where}.type`)}]`)]
    }
  })
}

function plain(role: 'user' | 'assistant', text: string): Item {
  return role === 'user'
    ? { type: 'user', text, note: text.trimStart().startsWith('<system-reminder>') }
    : { type: 'assistant', text }
}
