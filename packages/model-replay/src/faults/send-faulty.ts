/** Spoils an answer on the wire. */
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Fault } from '../script/script.ts'

/** The answer as it would have gone out. */
export interface Whole {
  readonly headers: Readonly<Record<string, string>>
  /** SSE events, or one JSON body. */
  readonly body: string
  readonly streamed: boolean
}

export interface FaultIo {
  /** Aborted when the client leaves or the server closes. */
  readonly signal: AbortSignal
  /** Stops listening for that many milliseconds. */
  readonly refuse: (forMs: number) => void
}

/** Sends `whole` as `fault` says. Resolves when nothing more is sent; a stall ends when the client leaves. */
export async function sendFaulty(fault: Fault, response: ServerResponse, whole: Whole, io: FaultIo): Promise<void> {
  const bytes = Buffer.from(whole.body)
  const first = bytes.subarray(0, fault.afterBytes ?? Math.ceil(bytes.length / 2))
  const head = () => response.writeHead(200, whole.headers)
  switch (fault.kind) {
    case 'refuse':
      io.refuse(fault.forMs)
      response.socket?.resetAndDestroy()
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'stall-before-headers':
      return await left(io.signal)
    case 'stall-after-headers':
      head().flushHeaders()
      return await left(io.signal)
    case 'stall-mid-stream':
      await write(head(), first)
      return await left(io.signal)
    case 'cut':
      await write(head(), first)
      response.socket?.end()
      return
    case 'early-end':
      head().end(first)
      return
    case 'cut-mid-character':
      head().end(bytes.subarray(0, withinCharacter(bytes, first.length)))
      return
    case 'reset-mid-stream':
      await write(head(), first)
      response.socket?.resetAndDestroy()
      return
    case 'malformed-sse':
      head().end(whole.streamed ? misspellFields(whole.body) : first)
      return
    case 'malformed-json':
      head().end(whole.streamed ? breakOneEvent(whole.body) : first)
      return
    case 'wrong-content-type':
      response.writeHead(200, { ...whole.headers, 'content-type': 'text/html' })
      response.end('<!doctype html><title>Sign in</title><p>Sign in to use this network.</p>')
      return
    case 'empty-body':
      head().end()
      return
    case 'slow':
      return await writeSlowly(head(), bytes, fault, io.signal)
    case 'empty':
    case 'overloaded':
    case 'context-overflow':
    case 'quota':
      // These change the answer itself, before it is written: the body holds it.
      head().end(whole.body)
      return
  }
}

/** Resolves when `signal` is aborted. */
function left(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Resolves when `bytes` were handed to the system. */
function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    response.write(bytes, () => resolve())
  })
}

async function writeSlowly(response: ServerResponse, bytes: Buffer, fault: Fault, signal: AbortSignal): Promise<void> {
  for (let at = 0; at < bytes.length; at += fault.chunkBytes) {
    if (at > 0) await delay(fault.everyMs, undefined, { signal })
    response.write(bytes.subarray(at, at + fault.chunkBytes))
  }
  response.end()
}

/** The offset behind the first byte of a character of several bytes: the last such character up to `limit`, else the first after it. */
function withinCharacter(bytes: Buffer, limit: number): number {
  for (let at = limit - 1; at >= 0; at--) if (startsLong(bytes[at])) return at + 1
  for (let at = limit; at < bytes.length; at++) if (startsLong(bytes[at])) return at + 1
  return limit
}

/** Whether a byte begins a UTF-8 character of several bytes. */
function startsLong(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0xc0
}

/** From the middle event on no line is a field that a client knows. */
function misspellFields(body: string): string {
  const events = body.split(/(?<=\n\n)/)
  const middle = Math.floor(events.length / 2)
  return events.map((event, at) => (at < middle ? event : event.replaceAll(/^(data|event):/gm, 'x-$1'))).join('')
}

/** The middle event's JSON ends early. */
function breakOneEvent(body: string): string {
  const events = body.split(/(?<=\n\n)/)
  const middle = Math.floor(events.length / 2)
  return events.map((event, at) => (at === middle ? `${event.slice(0, event.length / 2)}\n\n` : event)).join('')
}
