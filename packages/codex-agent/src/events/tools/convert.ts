/** One kind of item as a tool call; every kind has its own file. */
import type { ToolContent, ToolKind, ToolLocation, ToolStatus } from '@loader-smoke/agent-sdk'
import type { Item } from '../../wire/messages.ts'

/** A tool call without its id and status, which every kind has alike. */
export interface ConvertedTool {
  readonly kind: ToolKind
  readonly title: string
  readonly name?: string
  readonly input?: unknown
  readonly content?: readonly ToolContent[]
  readonly locations?: readonly ToolLocation[]
}

/** Reads one kind of item; called when it starts and when it completes. */
export type ConvertTool = (item: Item) => ConvertedTool

const statuses: Readonly<Record<string, ToolStatus>> = {
  inProgress: 'running',
  completed: 'completed',
  failed: 'failed',
  declined: 'declined',
}

/** The status of an item; one that is missing or unknown is `otherwise`. */
export function statusOf(item: Item, otherwise: ToolStatus): ToolStatus {
  const status = item.success === false ? 'failed' : item.status
  return typeof status === 'string' ? (statuses[status] ?? otherwise) : otherwise
}
