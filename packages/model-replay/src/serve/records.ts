/** What the server tells of every request, for tests, verdicts and reports; and what of it is masked. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Dialect } from '../ask/ask.ts'
import type { FaultKind } from '../script/schema.ts'
import type { Usage } from '../script/script.ts'

/** One request and what became of it. */
export interface RecordedRequest {
  /** 1 for the first. */
  readonly number: number
  /** When its head came, in milliseconds since the epoch. */
  readonly atMs: number
  readonly method: string
  /** Path as it came; values of a query are masked. */
  readonly path: string
  /** As they came; values of headers that hold keys or name accounts are masked. Empty when `trimmed`. */
  readonly headers: IncomingHttpHeaders
  /** The body parsed as JSON; the text itself when it is none; undefined without a body and when `trimmed`. Parsed anew at every look. */
  readonly body: unknown
  /** Headers and body were let go: they are kept of the last 1,000 requests only, and of fewer when their bodies pass 64 Mi characters. */
  readonly trimmed: boolean
  readonly dialect: Dialect | undefined
  readonly model: string | undefined
  readonly thread: string | undefined
  /** Name of the conversation and the turn that answered; undefined when none did. */
  readonly conversation: string | undefined
  /** Number of the client's conversation, 1 for the first that came. */
  readonly run: number | undefined
  readonly turn: string | undefined
  readonly status: number | undefined
  readonly usage: Usage | undefined
  /** Milliseconds from the request's head to the first and the last byte of the answer. */
  readonly firstByteMs: number | undefined
  readonly totalMs: number | undefined
  readonly outcome: Outcome
  /** Why the request was refused; undefined when it was not. */
  readonly refusal: string | undefined
  /** The answer ended in good order but without a finish reason, and the client has not asked again so far. */
  readonly cutAccepted: boolean
  /** The fault or HTTP status that the random mix drew; undefined when none. */
  readonly drawnFault: FaultKind | number | undefined
}

/**
 * answered: the whole answer went out; refused: a 4xx that the script did not ask for; faulted: a scripted error or fault;
 * abandoned: the client left before the end; pending: still going on.
 */
export type Outcome = 'pending' | 'answered' | 'refused' | 'faulted' | 'abandoned'

/** `url` with the values of its query masked: some services take keys there. */
export function maskQuery(url: string): string {
  const [path = '', query] = url.split(/\?(.*)/s, 2)
  return query === undefined ? path : `${path}?${query.replaceAll(/=[^&]*/g, '=[masked]')}`
}

const SECRET_HEADER = /authorization|api-?key|cookie|token|secret|credential|account|organi[sz]ation|project/i

/** Whether a header of that name holds a key, or says whose it is. */
export function isSecretHeader(name: string): boolean {
  let secret = known.get(name)
  if (secret === undefined) {
    secret = SECRET_HEADER.test(name)
    if (known.size < 1_000) known.set(name, secret)
  }
  return secret
}

const known = new Map<string, boolean>()

/** `headers` with secret values replaced by their length. */
export function maskHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const masked: IncomingHttpHeaders = { ...headers }
  for (const name of Object.keys(headers))
    if (isSecretHeader(name)) masked[name] = `[masked, ${String(headers[name]).length} characters]`
  return masked
}
