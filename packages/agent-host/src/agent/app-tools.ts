/** Tools of the app that the config offers to the agent, run by the app's own tool service with its policies. */
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { ContentBlock } from '@deepseek-ai/dsh-llm'
import type { HostToolImplementation } from '../node-host.ts'

/** The service `tools` of `@deepseek-ai/dsh-tools`, as far as it is needed. */
interface ToolService {
  schemas(): readonly {
    readonly name: string
    readonly description: string
    readonly parameters: Record<string, unknown>
  }[]
  execute(call: {
    readonly callId: string
    readonly name: string
    readonly arguments: unknown
    readonly agent: Agent
    readonly signal: AbortSignal
  }): Promise<{ readonly content: readonly ContentBlock[]; readonly isError: boolean }>
}

/** For whom a tool runs. */
export interface ToolCaller {
  readonly agent: Agent
  /** Aborted when the open turn is. */
  readonly signal: AbortSignal
}

/**
 * The tools named `names`. `caller` is asked at each call.
 * @throws Error that names the tools which the app has not.
 */
export function appTools(ctx: Context, names: readonly string[], caller: () => ToolCaller): HostToolImplementation[] {
  if (names.length === 0) return []
  const service = ctx.get('tools') as ToolService | undefined
  if (service === undefined)
    throw new Error(
      `agent-host: tools names ${names.join(', ')}, but the app has no service \`tools\`. Next: add @deepseek-ai/dsh-tools to the config, and \`inject: [tools]\` to agent-host's row.`,
    )
  const schemas = service.schemas()
  return names.map((name): HostToolImplementation => {
    const schema = schemas.find((one) => one.name === name)
    if (schema === undefined)
      throw new Error(
        `agent-host: tools names '${name}', which the app does not have. It has: ${schemas.map((one) => one.name).join(', ') || 'none'}.`,
      )
    return {
      name,
      description: schema.description,
      inputSchema: schema.parameters,
      async call(input, { callId }) {
        const { content, isError } = await service.execute({ callId, name, arguments: input, ...caller() })
        const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
        if (isError) throw new Error(texts.join('\n'))
        return { content: texts.map((text) => ({ type: 'text', text })) }
      },
    }
  })
}
