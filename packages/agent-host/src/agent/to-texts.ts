/** What of a message an agent-sdk agent can be given: its texts. */
import type { UserMessage } from '@deepseek-ai/dsh-llm'
import { RunFailure } from './run-failure.ts'

/**
 * The text blocks of `messages`, in order.
 * @throws RunFailure `UNSUPPORTED_INPUT` for any other block: leaving it out would ask something else than the user did.
 */
export function toTexts(messages: readonly UserMessage[]): string[] {
  return messages.flatMap(({ content }) =>
    content.map((block) => {
      if (block.type === 'text') return block.text
      throw new RunFailure(
        'UNSUPPORTED_INPUT',
        `a message holds a block of type '${block.type}'; an agent-sdk agent takes text. Next: send the content as text, or name a file.`,
      )
    }),
  )
}
