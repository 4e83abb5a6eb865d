/** Token counts of the agent protocol as those of a session's log. Pure. */
import type { Event } from '@loader-smoke/agent-sdk'
import type { TokenUsage } from '@deepseek-ai/dsh-llm'

type Tokens = Extract<Event, { readonly event: 'tokens' }>

/** The log counts disjointly: its `inputTokens` are those that no cache gave. */
export function toTokenUsage({
  inputTokens,
  cachedInputTokens,
  cacheWriteInputTokens,
  outputTokens,
  reasoningTokens,
}: Tokens): TokenUsage {
  const fromCache = (cachedInputTokens ?? 0) + (cacheWriteInputTokens ?? 0)
  return {
    inputTokens: Math.max(0, inputTokens - fromCache),
    outputTokens,
    ...(cachedInputTokens !== undefined && { cacheReadTokens: cachedInputTokens }),
    ...(cacheWriteInputTokens !== undefined && { cacheWriteTokens: cacheWriteInputTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  }
}
