/** How a request over a connection goes wrong: the peer refused it, or the connection ended first. */

/** JSON-RPC 2.0: the method does not exist. @see https://www.jsonrpc.org/specification#error_object */
export const methodNotFound = -32601

/** The peer answered with an error. Its code alone seldom tells why. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly method: string
  readonly code: number
  /** The peer's own message, without the method. */
  readonly reason: string

  constructor(method: string, code: number, reason: string) {
    super(`${method} failed: ${reason}`)
    this.method = method
    this.code = code
    this.reason = reason
  }
}

/** The connection was closed before the answer came; whether the peer acted on the request is unknown. */
export class ClosedError extends Error {
  override readonly name = 'ClosedError'
  readonly method: string
  /** The one reason of this connection, equal for every request it fails. */
  readonly reason: string

  constructor(method: string, reason: string) {
    super(`${method} failed: ${reason}`)
    this.method = method
    this.reason = reason
  }
}
