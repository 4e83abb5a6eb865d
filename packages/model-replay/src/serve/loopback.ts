/** The HTTP server of this package: on 127.0.0.1 only, and gone when it is closed. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { toErrorBody } from '../answer/to-error.ts'

export interface Loopback {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  readonly port: number
  /** Stops listening for `forMs` milliseconds; open connections go on. `onLost` is called when the port can't be taken again. */
  refuse(forMs: number, onLost: (error: unknown) => void): void
  /** Ends every open connection and resolves when the port is free. Safe to call twice. */
  close(): Promise<void>
}

/**
 * Listens on `port`, 0 for a free one.
 * @throws RangeError for a port out of range; the system's error when it is taken
 */
export async function openLoopback(
  port: number,
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Loopback> {
  checkInteger('port', port, 0, 65_535)
  const server = createServer({ keepAlive: true, noDelay: true }, onRequest)
  server.on('clientError', refuseMalformed)
  await listen(server, port)
  const bound = (server.address() as AddressInfo).port
  let closing: Promise<void> | undefined
  let refusing: NodeJS.Timeout | undefined
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    refuse(forMs, onLost) {
      if (closing !== undefined || refusing !== undefined) return
      server.close()
      refusing = setTimeout(() => {
        refusing = undefined
        listen(server, bound).catch(onLost)
      }, forMs)
    },
    close() {
      closing ??= new Promise((resolve) => {
        clearTimeout(refusing)
        server.close(() => resolve())
        server.closeAllConnections()
      })
      return closing
    },
  }
}

/** @throws RangeError naming the option */
export function checkInteger(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max)
    throw new RangeError(`model-replay: ${name} is ${value}; expected a whole number from ${min} to ${max}.`)
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Answers what is no HTTP request: nothing is recorded of it. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = toErrorBody(
    { status: 400, message: `model-replay: this is no HTTP request (${error.code}).` },
    undefined,
  )
  const length = Buffer.byteLength(body)
  const head = [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/json',
    `content-length: ${length}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
