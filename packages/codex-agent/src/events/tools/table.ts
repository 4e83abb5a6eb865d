/** Which items are tool calls, and how each kind is read. A kind that is not here is no tool call. */
import type { Item } from '../../wire/messages.ts'
import { fromDynamicCall, fromMcpCall } from './calls.ts'
import { fromCommand } from './command.ts'
import type { ConvertTool } from './convert.ts'
import { fromFileChange } from './file-change.ts'
import { fromImageGeneration, fromImageView, fromSleep, fromWebSearch } from './others.ts'

const tools: { readonly [Type in NonNullable<Item['type']>]?: ConvertTool } = {
  commandExecution: fromCommand,
  fileChange: fromFileChange,
  dynamicToolCall: fromDynamicCall,
  mcpToolCall: fromMcpCall,
  webSearch: fromWebSearch,
  imageView: fromImageView,
  imageGeneration: fromImageGeneration,
  sleep: fromSleep,
}

/** How `item` is read; `undefined` when it is no tool call. */
export function toolConverter(item: Item): ConvertTool | undefined {
  return item.type === null || item.type === undefined ? undefined : tools[item.type]
}
