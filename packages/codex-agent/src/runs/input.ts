/** What the user asks, as the wire wants it. Pure. */
import type { PromptBlock, PromptInput } from '@loader-smoke/agent-sdk'
import type { Requests } from '../wire/generated/methods.ts'

type UserInput = Requests['turn/start']['params']['input'][number]

/** The input of a turn: its blocks, and the attempt by which the server names it again. */
export function toUserInput(
  { blocks, delivery }: PromptInput,
  skillPaths: ReadonlyMap<string, string>,
): { readonly input: UserInput[]; readonly clientUserMessageId?: string } {
  const input = blocks.flatMap((block) => fromBlock(block, skillPaths))
  return delivery === undefined ? { input } : { input, clientUserMessageId: delivery.attemptId }
}

/** Throws when there is nothing to send, or a skill is unknown: the server would start a turn with whatever is left. */
export function checkInput({ blocks }: PromptInput, skillPaths: ReadonlyMap<string, string>): void {
  if (blocks.length === 0) throw new Error('the prompt has no blocks (expected at least one text or skill)')
  for (const block of blocks)
    if (block.type === 'skill' && !skillPaths.has(block.name))
      throw new Error(
        `codex has no skill ${JSON.stringify(block.name)} in this workspace: list the skills first (list_skills)`,
      )
}

function fromBlock(block: PromptBlock, skillPaths: ReadonlyMap<string, string>): UserInput[] {
  if (block.type === 'text') return [text(block.text)]
  const skill: UserInput = { type: 'skill', name: block.name, path: skillPaths.get(block.name) ?? '' }
  return block.input === '' ? [skill] : [skill, text(block.input)]
}

function text(value: string): UserInput {
  return { type: 'text', text: value, text_elements: [] }
}
