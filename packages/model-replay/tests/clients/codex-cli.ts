/** The real Codex CLI. */
import { tempWorkspace } from '@loader-smoke/testkit'
import type { Conversation } from './conversation.ts'
import { type CodexEvent, runCodex } from './run-codex.ts'

/** Rejects with the events when the CLI exits with another code than 0. */
export async function converseCodex(url: string, prompt: string, retries = 0): Promise<Conversation> {
  await using folder = await tempWorkspace()
  const end = await runCodex({ url, model: 'mock-model', prompt, folder: folder.path, retries })
  const error = end.events.findLast(({ type }) => type === 'turn.failed' || type === 'error')
  if (end.exitCode !== 0) throw new Error(`exit ${end.exitCode}: ${errorText(error)}`)
  const items = end.events.flatMap(({ type, item }) => (type === 'item.completed' && item !== undefined ? [item] : []))
  const textsOf = (kind: string) =>
    items.flatMap(({ type, text }) => (type === kind && text !== undefined ? [text] : []))
  const usage = end.events.find(({ type }) => type === 'turn.completed')?.['usage'] as
    | Record<string, number>
    | undefined
  return {
    texts: textsOf('agent_message'),
    reasoning: textsOf('reasoning').join(''),
    commands: items.flatMap(({ type, command }) =>
      type === 'command_execution' ? [/^\/bin\/bash -lc '(.*)'$/s.exec(String(command))?.[1] ?? String(command)] : [],
    ),
    usage: {
      input: usage?.['input_tokens'] ?? NaN,
      cached: usage?.['cached_input_tokens'] ?? NaN,
      output: usage?.['output_tokens'] ?? NaN,
      reasoning: usage?.['reasoning_output_tokens'] ?? NaN,
    },
  }
}

function errorText(event: CodexEvent | undefined): string {
  const error = event?.['error'] as { message?: string } | undefined
  return error?.message ?? String(event?.['message'] ?? 'no error event')
}
