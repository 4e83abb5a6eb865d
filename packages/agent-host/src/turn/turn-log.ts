/**
 * Writes what an agent does in one turn into the session's log, in the order and shape that DeepSeek Harness defines for a turn.
 *
 * An agent's events don't tell where one request to its model ends and the next begins, so a step is one round of text and tools: it
 * ends when something follows its finished tools. A text is held until something follows it, because only then it is certain.
 */
import type { Event, Task, TextMode, ToolCall } from '@loader-smoke/agent-sdk'
import type {
  ContentBlock,
  ReasoningBlock,
  StreamChunk,
  TextBlock,
  TokenUsage,
  UserMessage,
} from '@deepseek-ai/dsh-llm'
import { createAssistantMessage } from '@deepseek-ai/dsh-llm'
import type { Session, TurnEndReason } from '@deepseek-ai/dsh-session'
import { fromTask } from './from-task.ts'
import { StepTools } from './step-tools.ts'
import { toTokenUsage } from './token-usage.ts'

/** Under which provider and model the answers are logged. */
export interface Provenance {
  readonly provider: string
  readonly model: string
}

/** A text or reasoning that the agent has begun. */
interface Held {
  readonly itemId: string
  readonly type: 'text' | 'reasoning'
  readonly index: number
  text: string
  readonly chunkSeqs: number[]
}

/** An answer that is in the log. */
interface Written {
  seq: number
  content: ContentBlock[]
}

/** The log of one turn: `begin`, then steps, then `end`. */
export class TurnLog {
  readonly turn: number
  readonly #session: Session
  readonly #source: Provenance
  #step = 0
  #stepOpen = false
  #blocks = 0
  #held: Held[] = []
  #usage: TokenUsage | undefined
  readonly #written = new Map<string, { readonly answer: Written; readonly at: number }>()
  readonly #tools: StepTools
  readonly #tasks: Set<string>

  /** `tasks` holds the subagents known so far, over all turns of the session. */
  constructor(session: Session, source: Provenance, turn: number, tasks: Set<string>) {
    this.#tasks = tasks
    this.#session = session
    this.#source = source
    this.turn = turn
    this.#tools = new StepTools(session, turn)
  }

  /** The number that the next step will have. */
  get nextStep(): number {
    return this.#step + 1
  }

  begin(): void {
    this.#session.append('turn/start', { turn: this.turn })
  }

  /** Adds what the agent was given; opens a step if none is open. */
  addInput(messages: readonly UserMessage[]): void {
    this.#openStep()
    for (const message of messages) this.#session.append('user/message', message, { surfaceOp: 'append' })
  }

  /** Adds what the agent did. Events that say nothing about the answer, the tools or their cost are left out. */
  add(event: Event): void {
    switch (event.event) {
      case 'text_delta':
        return this.#addText('text', event.itemId, event.text, event.mode)
      case 'reasoning_delta':
        return this.#addText('reasoning', event.itemId, event.text, event.mode)
      case 'tool_call_started':
        return this.#startTool(event)
      case 'tool_call_updated':
        return this.#tools.update(this.#step, event)
      case 'task':
        return this.#addTask(event)
      case 'plan':
        this.#session.append('todo/write', { todos: event.entries.map((entry) => ({ ...entry })) })
        return
      case 'tokens':
        this.#openStep()
        this.#usage = toTokenUsage(event)
        this.#chunk({ type: 'usage', usage: this.#usage })
        return
      default:
        return
    }
  }

  #startTool(call: ToolCall): void {
    this.#openRound()
    this.#writeHeld({ type: 'tool-call', ...this.#tools.block(call) })
    this.#tools.start(this.#step, call)
  }

  /** A subagent of a subagent is not the root agent's matter, and one of an earlier turn has its result there. */
  #addTask(task: Task): void {
    if (task.parentTaskId !== undefined) return
    const call = fromTask(task)
    if (this.#tasks.has(task.id)) return this.#tools.update(this.#step, call)
    this.#tasks.add(task.id)
    this.#startTool(call)
  }

  /** Closes the open step: what was said is certain, and tools that are still open end without a result of their own. */
  endStep(interrupted: boolean): void {
    if (!this.#stepOpen) return
    this.#writeHeld(undefined, interrupted)
    this.#tools.abandon(this.#step)
    this.#session.append('step/end', { turn: this.turn, step: this.#step })
    this.#stepOpen = false
  }

  end(reason: TurnEndReason): void {
    this.endStep(reason.kind !== 'completed')
    this.#session.append('turn/end', { turn: this.turn, reason })
  }

  #openStep(): void {
    if (this.#stepOpen) return
    this.#step += 1
    this.#stepOpen = true
    this.#blocks = 0
    this.#usage = undefined
    this.#session.append('step/start', { turn: this.turn, step: this.#step })
  }

  /** Opens the next step when the tools of this one are done. */
  #openRound(): void {
    if (this.#stepOpen && this.#tools.areDone) this.endStep(false)
    this.#openStep()
  }

  #addText(type: Held['type'], itemId: string, text: string, mode: TextMode): void {
    const written = this.#written.get(itemId)
    if (written !== undefined) return this.#correct(written.answer, written.at, text, mode)
    let held = this.#held.find((one) => one.itemId === itemId)
    if (held === undefined) {
      this.#openRound()
      held = { itemId, type, index: this.#blocks++, text: '', chunkSeqs: [] }
      this.#held.push(held)
      held.chunkSeqs.push(this.#chunk({ type: 'block-start', index: held.index, blockType: type }))
    }
    if (mode === 'replace') {
      held.text = text
      return
    }
    held.text += text
    held.chunkSeqs.push(
      this.#chunk({ type: type === 'text' ? 'text-delta' : 'reasoning-delta', index: held.index, text }),
    )
  }

  /** Puts what is held, and a tool call if there is one, into the log: one answer for each text, reasoning before the text that it led to. */
  #writeHeld(toolCall?: Extract<ContentBlock, { type: 'tool-call' }>, interrupted = false): void {
    const held = this.#held.filter(({ text }) => text !== '')
    this.#held = []
    let group: Held[] = []
    held.forEach((one, at) => {
      group.push(one)
      if (one.type === 'reasoning' || at === held.length - 1) return
      this.#write(group, undefined, false)
      group = []
    })
    if (group.length > 0 || toolCall !== undefined) this.#write(group, toolCall, interrupted)
  }

  #write(group: readonly Held[], toolCall: ContentBlock | undefined, interrupted: boolean): void {
    const blocks = group.map(({ type, text }): ContentBlock => ({ type, text }))
    group.forEach((one, at) => {
      one.chunkSeqs.push(this.#chunk({ type: 'block-end', index: one.index, block: blocks[at] as ContentBlock }))
    })
    const content = toolCall === undefined ? blocks : [...blocks, toolCall]
    const { seq } = this.#session.append(
      'assistant/message',
      {
        turn: this.turn,
        step: this.#step,
        message: createAssistantMessage({ content, source: this.#source }),
        ...(this.#usage !== undefined && { usage: this.#usage }),
        ...(interrupted && { interrupted: true as const }),
      },
      { surfaceOp: 'append', sourceEventSeqs: group.flatMap(({ chunkSeqs }) => chunkSeqs) },
    )
    const answer: Written = { seq, content }
    group.forEach(({ itemId }, at) => this.#written.set(itemId, { answer, at }))
  }

  /** The agent has changed an answer that is already in the log (a retry after a broken stream): the new one takes its place. */
  #correct(answer: Written, at: number, text: string, mode: TextMode): void {
    const block = answer.content[at] as TextBlock | ReasoningBlock
    const whole = mode === 'append' ? block.text + text : text
    if (whole === block.text) return
    this.#openStep()
    answer.content = answer.content.with(at, { ...block, text: whole })
    const { seq } = answer
    answer.seq = this.#session.append(
      'assistant/message',
      {
        turn: this.turn,
        step: this.#step,
        message: createAssistantMessage({ content: answer.content, source: this.#source }),
      },
      { surfaceOp: { op: 'replace', start: seq, end: seq }, sourceEventSeqs: [seq] },
    ).seq
  }

  #chunk(chunk: StreamChunk): number {
    return this.#session.append('assistant/chunk', { turn: this.turn, step: this.#step, chunk }).seq
  }
}
