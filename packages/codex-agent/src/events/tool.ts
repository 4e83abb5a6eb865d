/** A tool call's life: started once, updated, completed; or started and completed in one. */
import type { EventBody, ToolContent, ToolStatus } from '@loader-smoke/agent-sdk'
import type { Item } from '../wire/messages.ts'
import type { OpenItems, OpenTool } from './items.ts'
import { type ConvertTool, statusOf } from './tools/convert.ts'
import { changesContent } from './tools/file-change.ts'

type Tools = Map<string, OpenTool>

/** A tool starts. A second start of the same tool is an update. */
export function toolStarted(
  tools: Tools,
  id: string,
  item: Item,
  turnId: string | null,
  convert: ConvertTool,
): EventBody {
  const { kind, ...parts } = convert(item)
  const known = tools.has(id)
  tools.set(id, {
    kind,
    turnId,
    type: item.type ?? '',
    title: parts.title,
    content: parts.content ?? [],
    outputLength: 0,
  })
  return known
    ? { event: 'tool_call_updated', id, status: 'running', ...parts }
    : { event: 'tool_call_started', id, kind, status: 'running', ...parts }
}

/** A tool ends; one that never started is told in one event. */
export function toolCompleted(
  { tools, closedTools }: OpenItems,
  id: string,
  item: Item,
  convert: ConvertTool,
): EventBody {
  const { kind, ...parts } = convert(item)
  const open = tools.get(id)
  tools.delete(id)
  const status = statusOf(item, 'completed')
  if (open !== undefined)
    return { event: 'tool_call_updated', id, status, ...parts, ...keptOutput(parts.content, open) }
  return closedTools.delete(id)
    ? // How it ended was told already: stopped, where the server sees but a failure.
      { event: 'tool_call_updated', id, ...parts }
    : { event: 'tool_call_started', id, kind, status, ...parts }
}

/** Output of a running tool. */
export function toolOutput(tools: Tools, id: string, outputDelta: string): EventBody {
  const open = tools.get(id)
  if (open !== undefined) open.outputLength += outputDelta.length
  return { event: 'tool_call_updated', id, outputDelta }
}

/** A patch that the model writes anew while it waits. */
export function patchUpdated(tools: Tools, id: string, changes: Item['changes']): EventBody {
  const content = changesContent(changes)
  const open = tools.get(id)
  if (open !== undefined) open.content = content
  return { event: 'tool_call_updated', id, content }
}

const maxClosed = 256

/** Ends the open tools that `ends` picks: their own end may never come. */
export function closeTools(
  { tools, closedTools }: OpenItems,
  status: ToolStatus,
  ends: (tool: OpenTool, id: string) => boolean,
): readonly EventBody[] {
  const bodies: EventBody[] = []
  for (const [id, tool] of tools) {
    if (!ends(tool, id)) continue
    tools.delete(id)
    if (closedTools.size >= maxClosed) closedTools.clear()
    closedTools.add(id)
    bodies.push({ event: 'tool_call_updated', id, status })
  }
  return bodies
}

/** The server cuts a completed command's output at about 1 MiB; what has streamed is whole, so the cut text must not replace it. */
function keptOutput(
  content: readonly ToolContent[] | undefined,
  open: OpenTool,
): { readonly content?: readonly ToolContent[] } {
  const [first] = content ?? []
  if (first?.type !== 'terminal' || first.output.length >= open.outputLength) return {}
  return { content: [{ ...first, truncated: true }] }
}
