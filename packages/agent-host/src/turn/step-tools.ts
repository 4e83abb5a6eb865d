/** The tool calls of one step: each is logged when it starts, and its result when it is over. */
import type { Event, EventPlace, ToolCall } from '@loader-smoke/agent-sdk'
import { CallId, createToolResultMessage } from '@deepseek-ai/dsh-llm'
import type { JsonValue, Session } from '@deepseek-ai/dsh-session'
import { exitCodeOf, failureCode, isFinal, toArguments, toolName, toText } from './tool-text.ts'

/** What has changed of a call; absent parts are as they were. */
type ToolUpdate = Omit<Extract<Event, { readonly event: 'tool_call_updated' }>, 'event' | keyof EventPlace>

interface Running {
  readonly seq: number
  call: ToolCall
  /** What was shown piece by piece; the finished call's own content wins. */
  shown: string
}

/** Writes the calls of the open step. */
export class StepTools {
  readonly #session: Session
  readonly #turn: number
  readonly #running = new Map<string, Running>()
  #finished = 0

  constructor(session: Session, turn: number) {
    this.#session = session
    this.#turn = turn
  }

  /** Whether this step had tools and all of them are over. */
  get areDone(): boolean {
    return this.#finished > 0 && this.#running.size === 0
  }

  /** The part of an answer that asks for `call`. */
  block(call: ToolCall): { readonly id: CallId; readonly name: string; readonly arguments: string } {
    return { id: CallId(call.id), name: toolName(call), arguments: toArguments(call) }
  }

  start(step: number, call: ToolCall): void {
    const { id: callId, ...what } = this.block(call)
    const { seq } = this.#session.append('tool/call', { turn: this.#turn, step, callId, ...what })
    this.#running.set(call.id, { seq, call, shown: '' })
    if (isFinal(call.status)) this.#finish(step, call.id)
  }

  /** An update of a call that is over, or of an earlier turn's, changes nothing: its result is in the log. */
  update(step: number, { id, outputDelta = '', status, title, name, input, content, locations }: ToolUpdate): void {
    const running = this.#running.get(id)
    if (running === undefined) return
    running.shown += outputDelta
    running.call = {
      ...running.call,
      ...(status !== undefined && { status }),
      ...(title !== undefined && { title }),
      ...(name !== undefined && { name }),
      ...(input !== undefined && { input }),
      ...(content !== undefined && { content }),
      ...(locations !== undefined && { locations }),
    }
    if (isFinal(running.call.status)) this.#finish(step, id)
  }

  /** Ends the step: a call that is still open gets a result that says so. */
  abandon(step: number): void {
    for (const [id, { call }] of this.#running) {
      this.#writeResult(step, id, 'The run ended before this tool did.', failureCode(call.status) ?? 'TOOL_UNFINISHED')
    }
    this.#running.clear()
    this.#finished = 0
  }

  #finish(step: number, id: string): void {
    const { call, shown } = this.#running.get(id) as Running
    const text = toText(call.content ?? [])
    this.#writeResult(step, id, text === '' ? shown : text, failureCode(call.status))
    this.#running.delete(id)
    this.#finished += 1
  }

  #writeResult(step: number, id: string, text: string, code: string | undefined): void {
    const { seq, call } = this.#running.get(id) as Running
    const exitCode = exitCodeOf(call.content ?? [])
    const meta: JsonValue = {
      kind: call.kind,
      status: call.status,
      ...(call.title !== undefined && { title: call.title }),
      ...(call.locations !== undefined && { paths: call.locations.map(({ path }) => path) }),
      ...(exitCode !== undefined && { exitCode }),
    }
    this.#session.append(
      'tool/result',
      {
        turn: this.#turn,
        step,
        message: createToolResultMessage({
          callId: CallId(id),
          content: [{ type: 'text', text }],
          isError: code !== undefined,
        }),
        ...(code !== undefined && { error: { name: 'ToolError', code } }),
        meta,
      },
      { surfaceOp: 'append', sourceEventSeqs: [seq] },
    )
  }
}
