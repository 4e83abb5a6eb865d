/** Every request of one server. Of each the numbers are kept until the end, and of the last ones headers and body too: an agent may run for weeks. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { maskHeaders, maskQuery, type RecordedRequest } from './records.ts'

const MAX_DETAILED = 1_000
const MAX_DETAILED_CHARACTERS = 64 * 1024 * 1024

/** A record while the server works on it. */
export type OpenRecord = {
  -readonly [K in Exclude<keyof RecordedRequest, 'body' | 'trimmed'>]: RecordedRequest[K]
} & Pick<RecordedRequest, 'body' | 'trimmed'>

/** The requests of one server, in order of arrival; nothing has to be closed. */
export class RequestLog {
  readonly #all: LoggedRequest[] = []
  /** Place of the first request that is not trimmed. */
  #detailedFrom = 0
  #characters = 0

  /** In order of arrival. One and the same list, which grows. */
  get all(): readonly OpenRecord[] {
    return this.#all
  }

  /** Adds a record for `request`. */
  open(request: IncomingMessage): LoggedRequest {
    const record = new LoggedRequest(this.#all.length + 1, request)
    this.#all.push(record)
    this.#trim()
    return record
  }

  /** Notes the body of `record`; call it once. */
  keepBody(record: LoggedRequest, text: string): void {
    if (record.trimmed) return
    record.text = text
    this.#characters += text.length
    this.#trim()
  }

  /** The last request keeps its body, however large. */
  #trim(): void {
    while (
      this.#all.length - this.#detailedFrom > MAX_DETAILED ||
      (this.#characters > MAX_DETAILED_CHARACTERS && this.#detailedFrom < this.#all.length - 1)
    ) {
      const oldest = this.#all[this.#detailedFrom++]
      this.#characters -= oldest?.text.length ?? 0
      oldest?.trim()
    }
  }
}

/** Holds the body as text: that is lighter to keep than its objects. */
export class LoggedRequest implements OpenRecord {
  readonly number: number
  readonly atMs = Date.now()
  readonly method: string
  readonly path: string
  headers: IncomingHttpHeaders
  declare readonly body: unknown
  trimmed = false
  dialect: RecordedRequest['dialect']
  model: string | undefined
  thread: string | undefined
  conversation: string | undefined
  run: number | undefined
  turn: string | undefined
  status: number | undefined
  usage: RecordedRequest['usage']
  firstByteMs: number | undefined
  totalMs: number | undefined
  outcome: RecordedRequest['outcome'] = 'pending'
  refusal: string | undefined
  cutAccepted = false
  drawnFault: RecordedRequest['drawnFault']
  #text = ''

  constructor(number: number, { method = '', url = '', headers }: IncomingMessage) {
    this.number = number
    this.method = method
    this.path = maskQuery(url)
    this.headers = maskHeaders(headers)
    Object.defineProperty(this, 'body', LoggedRequest.#body)
  }

  /** The body as it came; empty without one. */
  get text(): string {
    return this.#text
  }

  set text(text: string) {
    this.#text = text
  }

  /** Lets headers and body go. */
  trim(): void {
    this.trimmed = true
    this.headers = {}
    this.#text = ''
  }

  /** An own property, so that `body` is seen where a record is printed or copied; one for all, since a getter each takes 1.6 kB (Node 24). */
  static readonly #body: PropertyDescriptor & ThisType<LoggedRequest> = {
    enumerable: true,
    get() {
      return parseBody(this.#text)
    },
  }
}

function parseBody(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: the text itself is what came.
    return text
  }
}
