/** Answers requests from a recording, or from the provider whose answers are recorded. */
import { setImmediate as nextTick } from 'node:timers/promises'
import { AskError } from '../ask/ask.ts'
import type { Exchange } from '../serve/exchange.ts'
import { readAsk } from '../serve/read-ask.ts'
import { readRequest } from '../serve/read-request.ts'
import { findRoute } from '../serve/routes.ts'
import { type Asked, fromAsk, fromOther } from './asked.ts'
import { askUpstream, type Upstream } from './ask-upstream.ts'
import type { RecordingKeeper } from './keeper.ts'
import type { Redactor } from './redact.ts'
import type { Tape, TapedAnswer } from './tape.ts'

/** What every exchange of one server shares. */
export interface TapeShared {
  readonly file: string
  readonly tape: Tape
  readonly keeper: RecordingKeeper | undefined
  readonly upstream: Upstream | undefined
  readonly redactor: Redactor
  readonly normalise: (text: string) => string
  readonly maxBodyBytes: number
}

/** @throws AskError when the recording has no answer and no provider may be asked */
export async function answerFromTape(shared: TapeShared, exchange: Exchange): Promise<void> {
  const { request, record } = exchange
  const { tape, keeper, upstream } = shared
  shared.redactor.learnRequest(request.url ?? '', request.headers)
  const text = await readRequest(request, shared.maxBodyBytes)
  const asked = readAsked(shared, exchange, text)
  const known = tape.take(asked)
  if (known !== undefined) {
    record.turn = `exchange ${known.number}`
    await play(exchange, known.answer)
  } else if (upstream === undefined || keeper === undefined) throw new AskError(tape.explain(asked, shared.file))
  else {
    const answer = await askUpstream(exchange, text, upstream)
    keeper.keep(record.number, asked, answer)
  }
  record.outcome = 'answered'
}

/** What is no question that the three APIs know is compared as a whole: the provider says what is wrong with it. */
function readAsked(shared: TapeShared, exchange: Exchange, text: string): Asked {
  const { method = '', url = '' } = exchange.request
  const path = url.split('?', 1)[0] ?? ''
  const plain = (raw: string) => shared.normalise(shared.redactor.clean(raw))
  const route = findRoute(method, url)
  if (route?.kind !== 'ask') return fromOther(method, path, text, plain)
  exchange.record.dialect = route.dialect
  try {
    const ask = readAsk(exchange, text, route.dialect, undefined, () => undefined)
    return fromAsk(ask, path, plain)
  } catch (error) {
    if (error instanceof AskError) return fromOther(method, path, text, plain)
    throw error
  }
}

/** The pieces go out one by one, as they came; the pause between them lets the system send each by itself. */
async function play(exchange: Exchange, { status, headers, body, chunkBytes }: TapedAnswer): Promise<void> {
  const bytes = Buffer.from(body)
  exchange.begin(status)
  exchange.response.writeHead(status, headers)
  let at = 0
  for (const size of chunkBytes) {
    exchange.response.write(bytes.subarray(at, at + size))
    at += size
    await nextTick()
  }
  exchange.response.end()
}
