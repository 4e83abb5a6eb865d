/** Reads what is needed of a stored session: who it was, what it was asked, and what its model answered. Pure. */
import { SessionLogError } from './session-log-error.ts'

/** One answer of the model. */
export interface Answer {
  /** Numbers of the agent's turn and step. */
  readonly turn: number
  readonly step: number
  /** What the request ended with: a message of the user, a note of the app (its runtime context), tool results; null: nothing new. */
  readonly last: 'user' | 'note' | 'tool' | null
  /** The message of the user, when the request ended with it. */
  readonly user: string | null
  /** Tools whose results came with the request, in order. */
  readonly results: readonly { readonly tool: string; readonly text: string }[]
  /** Blocks as the log has them. */
  readonly content: readonly Block[]
  readonly usage: Readonly<Record<string, number>>
  /** Why it ended, in the log's words; null when the log doesn't say. */
  readonly finish: string | null
}

/** A block of an answer; members depend on `type`. */
export interface Block {
  readonly type: string
  readonly text?: string
  readonly name?: string
  readonly arguments?: string
}

/** One session. */
export interface SessionLog {
  readonly id: string
  /** The session whose agent started this one; null for that of the root agent. */
  readonly parent: string | null
  readonly createdAtMs: number
  /** The first message in the user's role, which may be a note of the app. */
  readonly firstUser: string | null
  readonly answers: readonly Answer[]
  /** What the log has and a script can't, one sentence each. */
  readonly notes: readonly string[]
}

/** An event of the log; its data belongs to whoever wrote it, so it is read member by member. */
interface LogLine {
  readonly type: string
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data?: any
}

/**
 * The session of `text`, a `session.jsonl`. A last line that breaks off (the app was ended while it wrote) is passed over with a note.
 * @throws SessionLogError for a line that is no JSON, or a first line that is no session.
 */
export function readSessionLog(text: string, source: string): SessionLog {
  const { lines, notes } = parseLines(text, source)
  const [head, ...events] = lines
  const { type, id, parentSession, createdAt } = Object(head) as Record<string, unknown>
  if (type !== 'session' || typeof id !== 'string')
    throw new SessionLogError(source, 1, 'is no session log: its first line must be {"type":"session","id":…}')
  const reader = new Reader(source)
  for (const event of events) reader.read(event)
  return {
    id,
    parent: typeof parentSession === 'string' ? parentSession : null,
    createdAtMs: typeof createdAt === 'number' ? createdAt : 0,
    firstUser: reader.firstUser,
    answers: reader.answers,
    notes: [...notes, ...reader.notes],
  }
}

function parseLines(text: string, source: string): { readonly lines: LogLine[]; readonly notes: string[] } {
  const raw = text.split('\n')
  const notes: string[] = []
  const lines = raw.flatMap((line, index) => {
    if (line.trim() === '') return []
    try {
      return [JSON.parse(line) as LogLine]
    } catch (error) {
      if (index < raw.length - 1 || index === 0)
        throw new SessionLogError(source, index + 1, `is no JSON: ${(error as Error).message}`, error)
      notes.push(`line ${index + 1} breaks off and is left out`)
      return []
    }
  })
  return { lines, notes }
}

/** Follows the events of one session. */
class Reader {
  readonly #source: string
  readonly answers: Answer[] = []
  readonly notes: string[] = []
  firstUser: string | null = null
  #last: Answer['last'] = null
  #user: string | null = null
  #results: { tool: string; text: string }[] = []
  #step: string | null = null
  #finish: string | null = null
  /** Call id → tool. */
  readonly #tools = new Map<string, string>()

  constructor(source: string) {
    this.#source = source
  }

  read({ type, data }: LogLine): void {
    switch (type) {
      case 'user/message':
        this.#last = data?.source?.kind === 'user' ? 'user' : 'note'
        this.#user = textOf(data?.content)
        this.firstUser ??= this.#user
        return
      case 'step/start':
        this.#step = stepOf(data)
        this.#finish = null
        return
      case 'assistant/chunk':
        if (data?.chunk?.type === 'finish') this.#finish = data.chunk.reason?.kind ?? null
        return
      case 'tool/call':
        this.#tools.set(String(data?.callId), String(data?.name))
        return
      case 'tool/result':
        this.#last = 'tool'
        this.#addResults(data?.message?.content)
        return
      case 'assistant/message':
        this.#addAnswer(data)
        return
      case 'turn/end':
        if (data?.reason?.kind !== 'completed')
          this.notes.push(
            `turn ${data?.turn} ended ${quote(data?.reason?.kind)}: an answer that failed is not in the log`,
          )
    }
  }

  #addResults(content: unknown): void {
    for (const block of Array.isArray(content) ? content : [])
      if (block?.type === 'tool-result')
        this.#results.push({ tool: this.#tools.get(String(block.toolCallId)) ?? '', text: textOf(block.content) })
  }

  /** An answer outside of a step is history that a forked session was given, not one that it asked for. */
  // oxlint-disable-next-line typescript/no-explicit-any
  #addAnswer(data: any): void {
    if (this.#step === null || stepOf(data) !== this.#step) return
    if (!Array.isArray(data?.message?.content))
      throw new SessionLogError(this.#source, null, `has an answer without content at step ${this.#step}`)
    this.answers.push({
      turn: Number(data.turn),
      step: Number(data.step),
      last: this.#last,
      user: this.#last === 'user' ? this.#user : null,
      results: this.#results,
      content: data.message.content,
      usage: Object(data.usage),
      finish: this.#finish,
    })
    this.#last = null
    this.#results = []
    this.#step = null
  }
}

// oxlint-disable-next-line typescript/no-explicit-any
function stepOf(data: any): string {
  return `${data?.turn}/${data?.step}`
}

function textOf(content: unknown): string {
  return (Array.isArray(content) ? content : [])
    .flatMap((block) => (block?.type === 'text' ? [String(block.text)] : []))
    .join('')
}

function quote(value: unknown): string {
  return JSON.stringify(value) ?? 'without a reason'
}
