/** Who asks: what the request's headers say about the conversation and the agent. */
import type { IncomingHttpHeaders } from 'node:http'
import { isRecord } from '../script/check-shape.ts'

export interface Caller {
  readonly thread: string | undefined
  readonly subagent: boolean
  readonly agent: string | undefined
  readonly purpose: 'turn' | 'compaction'
}

/** Headers in which known clients name their conversation: the Codex CLI, and the DeepSeek Harness adapter. */
const THREAD_HEADERS = ['thread-id', 'x-deepseek-harness-session-id']

/** Reads the headers of the Codex CLI (0.171) and the DeepSeek Harness adapter (0.1.0-rc.8), and the script's `threadHeader`, which wins. */
export function readCaller(headers: IncomingHttpHeaders, threadHeader: string | undefined): Caller {
  const text = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const codex = readMetadata(text('x-codex-turn-metadata'))
  const thread = [threadHeader ?? '', ...THREAD_HEADERS].map(text).find((value) => value !== undefined)
  const compacts = codex['request_kind'] === 'compaction' || text('x-deepseek-harness-compact') === '1'
  return {
    thread,
    subagent: text('x-openai-subagent') !== undefined,
    agent: typeof codex['agent_name'] === 'string' ? codex['agent_name'] : undefined,
    purpose: compacts ? 'compaction' : 'turn',
  }
}

function readMetadata(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    // A header that is not JSON tells nothing about the agent; nothing else is thrown here.
    return {}
  }
}
