/** JSON lines over a process' pipes: requests and notifications both ways, one reason when it ends. */
import { ClosedError, RefusedError } from './errors.ts'
import { cutLines } from './lines.ts'
import { openWriter } from './writer.ts'
import type { HostProcess } from '../host/process.ts'

/** A request's id, as the peer chose it: `0` and `''` are ids. */
export type RequestId = number | string

/** A request from the peer. Answer it once; an answer after the first, or after the connection ended, does nothing. */
export interface IncomingRequest {
  readonly id: RequestId
  readonly method: string
  readonly params: unknown
  reply(result: unknown): void
  refuse(code: number, message: string): void
}

/** What the owner of a connection wants to hear. All are called synchronously while a line is read, in the order of the lines. */
export interface ConnectionHandlers {
  onNotification(method: string, params: unknown): void
  onRequest(request: IncomingRequest): void
  /**
   * The connection broke: the peer closed its output, took no input, or sent a line beyond the limit. Not called for
   * {@link Connection.close}. The process may still live: the owner stops it.
   */
  onBroken?(reason: string): void
  /** A line that is no JSON object; only its length is told, since it may hold anything. */
  onJunk?(bytes: number): void
}

/** Limits of a connection. */
export interface ConnectionLimits {
  /** A longer incoming line breaks the connection. Default 64 MiB. */
  readonly maxLineBytes?: number
  /** More bytes than this that the peer does not take break the connection. Default 64 MiB. */
  readonly maxWaitingBytes?: number
}

/** A live connection. Does not own the process: closing it closes the process' input and nothing else. */
export interface Connection {
  /** Resolves with the peer's result; rejects with {@link RefusedError} or {@link ClosedError}. */
  request(method: string, params?: unknown): Promise<unknown>
  notify(method: string, params?: unknown): void
  /** Resolves when the peer has taken all that was written so far; await it before writing much. */
  drained(): Promise<void>
  /** Fails every pending and every later request with `reason`. The first reason stays. */
  close(reason: string): void
  /** `null` while the connection is open. */
  readonly closeReason: string | null
}

interface Pending {
  readonly method: string
  resolve(result: unknown): void
  reject(error: Error): void
}

const defaultLimitBytes = 64 * 1024 * 1024

/** Connects to `process`. Messages need no `jsonrpc` member, and none is written. */
export function connect(
  process: Pick<HostProcess, 'stdin' | 'stdout'>,
  handlers: ConnectionHandlers,
  { maxLineBytes = defaultLimitBytes, maxWaitingBytes = defaultLimitBytes }: ConnectionLimits = {},
): Connection {
  const pending = new Map<RequestId, Pending>()
  let nextId = 1
  let closeReason: string | null = null

  const close = (reason: string) => {
    if (closeReason !== null) return
    closeReason = reason
    for (const { method, reject } of pending.values()) reject(new ClosedError(method, reason))
    pending.clear()
    writer.end()
  }
  const broken = (reason: string) => {
    if (closeReason !== null) return
    close(reason)
    handlers.onBroken?.(reason)
  }
  const writer = openWriter(process.stdin, maxWaitingBytes, broken)
  const send = (message: object) => {
    if (closeReason === null) writer.write(`${JSON.stringify(message)}\n`)
  }

  const incoming = (id: RequestId, method: string, params: unknown): IncomingRequest => {
    let answered = false
    const answer = (body: object) => {
      if (answered) return
      answered = true
      send({ id, ...body })
    }
    return {
      id,
      method,
      params,
      reply: (result) => answer({ result: result ?? null }),
      refuse: (code, message) => answer({ error: { code, message } }),
    }
  }

  const settle = (id: RequestId, message: Message) => {
    const request = pending.get(id)
    if (request === undefined) return
    pending.delete(id)
    if (message.error === undefined || message.error === null) return request.resolve(message.result)
    const { code, message: reason } = message.error
    request.reject(
      new RefusedError(request.method, typeof code === 'number' ? code : 0, String(reason ?? 'no reason given')),
    )
  }

  const onLine = (line: string) => {
    const message = parse(line)
    if (message === null) return handlers.onJunk?.(Buffer.byteLength(line))
    // JSON-RPC 1.0 marks a notification by `id: null`; every other id, `0` and `''` among them, is one to answer.
    const id = message.id ?? null
    if (typeof message.method === 'string') {
      if (id === null) handlers.onNotification(message.method, message.params)
      else handlers.onRequest(incoming(id, message.method, message.params))
    } else if (id !== null) settle(id, message)
  }

  const cutter = cutLines(onLine, maxLineBytes)
  process.stdout.on('data', (chunk: Uint8Array | string) => {
    if (closeReason !== null) return
    try {
      cutter.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
    } catch (error) {
      // A line beyond the limit, or a handler that threw: either way what follows can't be trusted to be understood.
      broken(error instanceof Error ? error.message : String(error))
    }
  })
  process.stdout.on('end', () => broken('the program closed its output'))
  process.stdout.on('error', (error) => broken(`the program's output could not be read: ${error.message}`))

  return {
    request(method, params) {
      if (closeReason !== null) return Promise.reject(new ClosedError(method, closeReason))
      const id = nextId++
      return new Promise((resolve, reject) => {
        pending.set(id, { method, resolve, reject })
        send({ id, method, params })
      })
    },
    notify: (method, params) => send({ method, params }),
    drained: () => writer.drained(),
    close,
    get closeReason() {
      return closeReason
    },
  }
}

interface Message {
  readonly id?: RequestId | null
  readonly method?: unknown
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly code?: unknown; readonly message?: unknown } | null
}

function parse(line: string): Message | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    // JSON.parse throws nothing but a SyntaxError: the line is not JSON.
    return null
  }
}
