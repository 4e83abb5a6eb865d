/** A subagent's task as a tool call of the root agent: that is what it is to whoever reads the root agent's log. Pure. */
import type { Task, TaskStatus, ToolCall, ToolStatus } from '@loader-smoke/agent-sdk'

/** The name under which the tasks of subagents are logged. */
export const SUBAGENT = 'subagent'

/** The call; its result is the subagent's answer. */
export function fromTask({ id, title, prompt, name, model, status, summary }: Task): ToolCall {
  return {
    id: `task-${id}`,
    kind: 'other',
    name: SUBAGENT,
    title,
    status: toToolStatus(status),
    input: {
      title,
      ...(prompt !== undefined && { prompt }),
      ...(name !== undefined && { name }),
      ...(model !== undefined && { model }),
    },
    content: summary === undefined ? [] : [{ type: 'text', text: summary }],
  }
}

/** `idle` is an answer: a subagent that gets more to do later is no open call. */
function toToolStatus(status: TaskStatus): ToolStatus {
  switch (status) {
    case 'running':
    case 'waiting':
      return 'running'
    case 'idle':
    case 'completed':
      return 'completed'
    case 'failed':
    case 'cancelled':
      return status
    default:
      throw new TypeError(`agent-host: unknown task status ${JSON.stringify(status satisfies never)}`)
  }
}
