/** A shell command. */
import type { ToolKind } from '@loader-smoke/agent-sdk'
import type { Item } from '../../wire/messages.ts'
import type { ConvertTool } from './convert.ts'

type Actions = Item['commandActions']

const kinds: Readonly<Record<string, ToolKind>> = { read: 'read', listFiles: 'search', search: 'search' }

/** What the command does as a whole: only when all its parts do the same is it more than an execution. */
export function commandKind(actions: Actions): ToolKind {
  const found = new Set((actions ?? []).map((action) => kinds[action?.type ?? ''] ?? 'execute'))
  const [only] = found
  return found.size === 1 && only !== undefined ? only : 'execute'
}

/** The command as a person would type it: the server wraps it into `/bin/bash -lc '...'`, and keeps the bare text beside it. */
export function commandTitle(command: string | null | undefined, actions: Actions): string {
  return (actions?.length === 1 ? actions[0]?.command : null) ?? command ?? ''
}

/** Reads a `commandExecution`. */
export const fromCommand: ConvertTool = (item) => {
  const { command, cwd, commandActions, aggregatedOutput } = item
  const done = item.status !== 'inProgress' && item.status !== null && item.status !== undefined
  const locations = (commandActions ?? []).flatMap((action) =>
    typeof action?.path === 'string' ? [{ path: action.path }] : [],
  )
  return {
    kind: commandKind(commandActions),
    title: commandTitle(command, commandActions),
    name: 'shell',
    input: { command: command ?? '', cwd: cwd ?? '' },
    ...(done
      ? {
          content: [
            {
              type: 'terminal',
              command: command ?? '',
              cwd: cwd ?? '',
              output: aggregatedOutput ?? '',
              exitCode: item.exitCode ?? null,
            },
          ],
        }
      : {}),
    ...(locations.length > 0 ? { locations } : {}),
  }
}
