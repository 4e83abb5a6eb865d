/** Which headers of an answer a recording keeps: those that clients act upon. The others name accounts, machines and times. */
import type { IncomingHttpHeaders } from 'node:http'

const KEPT = /^(?:content-type|retry-after|retry-after-ms|x-should-retry|x-codex-.*)$/

export function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      KEPT.test(name) && value !== undefined ? [[name, String(value)]] : [],
    ),
  )
}
