/** Calls of tools that others offer: the host's dynamic tools and MCP servers. */
import type { ToolContent } from '@loader-smoke/agent-sdk'
import type { ConvertTool } from './convert.ts'

/** Reads a `dynamicToolCall`. */
export const fromDynamicCall: ConvertTool = (item) => ({
  kind: 'other',
  title: item.tool ?? '',
  name: item.tool ?? '',
  input: item.arguments,
  ...content((item.contentItems ?? []).map((part) => (part?.type === 'inputText' ? part.text : null))),
})

/** Reads an `mcpToolCall`; its error is its only content. */
export const fromMcpCall: ConvertTool = (item) => {
  const error = typeof item.error === 'object' && item.error !== null ? item.error.message : null
  const result = typeof item.result === 'object' && item.result !== null ? item.result.content : null
  return {
    kind: 'other',
    title: [item.server, item.tool].filter(Boolean).join('.'),
    name: item.tool ?? '',
    input: item.arguments,
    ...content(typeof error === 'string' ? [error] : (result ?? []).map(textOf)),
  }
}

function content(texts: readonly (string | null | undefined)[]): { readonly content?: readonly ToolContent[] } {
  const blocks = texts.flatMap((text) => (typeof text === 'string' ? [{ type: 'text', text } as const] : []))
  return blocks.length > 0 ? { content: blocks } : {}
}

function textOf(part: unknown): string | null {
  return typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? part.text : null
}
