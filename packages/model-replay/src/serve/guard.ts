/** Refuses requests that a loopback model server must not take. */
import type { IncomingHttpHeaders } from 'node:http'
import { AskError } from '../ask/ask.ts'

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Refuses other hosts' names in `Host` and `Origin`: a web page whose name was rebound to 127.0.0.1 would otherwise reach the server.
 * @throws AskError with status 403
 */
export function checkHost({ host, origin }: IncomingHttpHeaders): void {
  if (host === undefined || !LOOPBACK.has(host.replace(/:\d{1,5}$/, '').toLowerCase()))
    throw new AskError(
      `the Host header is ${JSON.stringify(host ?? null)}; expected 127.0.0.1 or localhost. Next: use the address that the server gave.`,
      403,
    )
  if (origin !== undefined && !(URL.canParse(origin) && LOOPBACK.has(new URL(origin).hostname)))
    throw new AskError(
      `the Origin header is ${JSON.stringify(origin)}; web pages of other hosts are not answered.`,
      403,
    )
}
