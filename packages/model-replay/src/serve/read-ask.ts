/** Reads what a request asks, and notes it in its record. */
import type { Ask, Dialect } from '../ask/ask.ts'
import { readCaller } from '../ask/caller.ts'
import type { Recall } from '../ask/from-responses.ts'
import { readBody } from '../ask/read.ts'
import { dialects } from './dialects.ts'
import type { Exchange } from './exchange.ts'

/** @throws AskError when the service would refuse the request */
export function readAsk(
  exchange: Exchange,
  text: string,
  dialect: Dialect,
  threadHeader: string | undefined,
  recall: Recall,
): Ask {
  const { request, record } = exchange
  exchange.keepBody(text)
  const body = readBody(text)
  const ask = dialects[dialect].read(body, readCaller(request.headers, threadHeader), recall)
  record.model = ask.model
  record.thread = ask.thread
  return ask
}
