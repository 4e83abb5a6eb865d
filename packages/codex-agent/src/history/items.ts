/** Stored items as the host's history. Pure. */
import type { HistoryItem } from '@loader-smoke/agent-sdk'
import { reasoningText } from '../events/reasoning.ts'
import { statusOf } from '../events/tools/convert.ts'
import { toolConverter } from '../events/tools/table.ts'
import { type Item, joined } from '../wire/messages.ts'

/** One stored item; `null` for a kind that a history doesn't show. Calls that name subagents become tasks elsewhere. */
export function historyItem(item: Item): HistoryItem | null {
  const id = item.id ?? ''
  const convert = toolConverter(item)
  if (convert !== undefined)
    return { role: 'tool', id, toolCall: { id, ...convert(item), status: statusOf(item, 'completed') } }
  switch (item.type) {
    case 'userMessage':
      return { role: 'user', id, text: userText(item) }
    case 'agentMessage':
    case 'plan':
      return { role: 'assistant', id, text: item.text ?? '' }
    case 'reasoning':
      return reasoningText(item) === '' ? null : { role: 'reasoning', id, text: reasoningText(item) }
    case 'contextCompaction':
      return { role: 'compacted', id }
    default:
      return null
  }
}

function userText(item: Item): string {
  return joined(
    item.content?.map((part) => (typeof part === 'object' && part !== null ? part.text : null)),
    '\n',
  )
}
