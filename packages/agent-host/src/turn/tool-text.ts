/** A tool call of the agent protocol, as the text and JSON that a session's log holds of it. Pure. */
import type { ToolCall, ToolContent, ToolStatus } from '@loader-smoke/agent-sdk'

/** The name under which a call is logged: the tool's own, else what sort of work it does (`execute`, `read`, ...). */
export function toolName({ name, kind }: Pick<ToolCall, 'name' | 'kind'>): string {
  return name ?? kind
}

/** The arguments of a call as a JSON text: the tool's own input, else its title and the paths that it names. */
export function toArguments({ input, title, locations }: ToolCall): string {
  if (input !== undefined) return JSON.stringify(input) ?? '{}'
  const paths = locations?.map(({ path }) => path)
  return JSON.stringify({ ...(title !== undefined && { title }), ...(paths !== undefined && { paths }) })
}

/** What a call has shown, as one text. */
export function toText(content: readonly ToolContent[]): string {
  return content.map(partText).join('\n')
}

function partText(part: ToolContent): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'terminal':
      return part.output
    case 'diff':
      return `${part.path}\n${'diff' in part ? part.diff : part.newText}`
    default:
      return assertNever(part)
  }
}

/** The exit code of the command that a call ran; absent when it ran none, or when the command did not exit by itself. */
export function exitCodeOf(content: readonly ToolContent[]): number | undefined {
  const terminal = content.findLast((part) => part.type === 'terminal')
  return terminal?.exitCode ?? undefined
}

/** The codes of calls that did not do their work; `undefined` for one that did, or that is not over. */
export function failureCode(status: ToolStatus): string | undefined {
  switch (status) {
    case 'failed':
      return 'TOOL_FAILED'
    case 'declined':
      return 'TOOL_DECLINED'
    case 'cancelled':
      return 'TOOL_CANCELLED'
    case 'completed':
    case 'pending':
    case 'running':
      return undefined
    default:
      return assertNever(status)
  }
}

/** Whether a call with this status is over. */
export function isFinal(status: ToolStatus): boolean {
  return status !== 'pending' && status !== 'running'
}

function assertNever(value: never): never {
  throw new TypeError(`agent-host: unknown tool part ${JSON.stringify(value)}`)
}
