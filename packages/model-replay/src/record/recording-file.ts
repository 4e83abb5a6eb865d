/** The file of a recording: JSON that a diff shows line by line, each question with only what is new in it. */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { isRecord } from '../script/check-shape.ts'
import { type Asked, type AskedItem, keyOf } from './asked.ts'
import { splitEvents } from './clean-body.ts'
import type { TapedAnswer, TapedExchange } from './tape.ts'

/** A recording that can't be used. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'
}

/** One exchange as written. Whatever `request` leaves out is as in the exchange `after`. */
interface Written {
  readonly number: number
  readonly request: Partial<Omit<Asked, 'items'>> & {
    /** Number of the exchange whose items come before these. */
    readonly after?: number
    readonly items?: readonly AskedItem[]
  }
  readonly answer: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    /** Sizes in bytes, where the pieces are not just the events. */
    readonly chunkBytes?: readonly number[]
    /** Events; they are joined with nothing between them. */
    readonly body: readonly string[]
  }
}

/**
 * The exchanges of `file`.
 * @param madeBy what makes a recording, for messages.
 * @throws RecordingError when there is no such file or it is no recording
 */
export async function readRecording(file: string, madeBy: string): Promise<TapedExchange[]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw new RecordingError(
      `model-replay: the recording ${file} can't be read (${(error as NodeJS.ErrnoException).code}).\nNext: make it with ${madeBy}.`,
      { cause: error },
    )
  }
  return parseRecording(text, file, madeBy)
}

/** @throws RecordingError */
function parseRecording(text: string, source: string, madeBy: string): TapedExchange[] {
  try {
    const data: unknown = JSON.parse(text)
    if (!isRecord(data) || data['recording'] !== 1 || !Array.isArray(data['exchanges']))
      throw new Error('it has not the form { "recording": 1, "exchanges": [...] }')
    const exchanges: TapedExchange[] = []
    for (const written of data['exchanges'] as unknown[]) exchanges.push(fromWritten(written, exchanges))
    return exchanges
  } catch (error) {
    throw new RecordingError(
      `model-replay: ${source} is no recording: ${(error as Error).message}.\nNext: make it anew with ${madeBy}.`,
      { cause: error },
    )
  }
}

/** The text of the file. Questions that go on from an earlier one stand behind it. */
export function formatRecording(exchanges: readonly TapedExchange[]): string {
  const ordered: TapedExchange[] = []
  const written = inOrder(exchanges).map((exchange) => {
    ordered.push(exchange)
    return toWritten(exchange, ordered)
  })
  return `${JSON.stringify({ recording: 1, exchanges: written }, null, 2)}\n`
}

/** Writes through a file beside it, so that a crash leaves the old one or the new one. */
export async function writeRecording(file: string, text: string): Promise<void> {
  await writeFile(`${file}.part`, text)
  await rename(`${file}.part`, file)
}

/** Each conversation together, in order of its first question. */
function inOrder(exchanges: readonly TapedExchange[]): TapedExchange[] {
  const conversations = new Map<string, TapedExchange[]>()
  for (const exchange of exchanges) {
    const { asked } = exchange
    const opening = keyOf({ ...asked, items: asked.items.slice(0, openingLength(asked.items)) })
    conversations.set(opening, [...(conversations.get(opening) ?? []), exchange])
  }
  return [...conversations.values()].flatMap((one) =>
    one.toSorted((a, b) => a.asked.items.length - b.asked.items.length),
  )
}

/** Items up to the first word of the model. */
function openingLength(items: readonly AskedItem[]): number {
  const first = items.findIndex((item) => 'assistant' in item || 'call' in item)
  return first === -1 ? items.length : first
}

const INHERITED = ['method', 'path', 'model', 'stream', 'system', 'tools', 'body'] as const

function toWritten({ asked, answer }: TapedExchange, ordered: readonly TapedExchange[]): Written {
  const number = ordered.length
  const after = ordered
    .slice(0, -1)
    .findLastIndex((one) => one.asked.items.length > 0 && continues(asked.items, one.asked.items))
  const before = ordered[after]?.asked
  const named = INHERITED.filter((name) =>
    before === undefined ? !isEmpty(asked[name]) : JSON.stringify(before[name]) !== JSON.stringify(asked[name]),
  )
  const { status, headers, body, chunkBytes } = answer
  const events = splitEvents(body)
  const sizes = events.map((event) => Buffer.byteLength(event))
  return {
    number,
    request: {
      ...(before === undefined ? {} : { after: after + 1 }),
      ...Object.fromEntries(named.map((name) => [name, asked[name]])),
      items: asked.items.slice(before?.items.length ?? 0),
    },
    answer: {
      status,
      headers,
      ...(JSON.stringify(sizes) === JSON.stringify(chunkBytes) ? {} : { chunkBytes }),
      body: events,
    },
  }
}

function continues(items: readonly AskedItem[], start: readonly AskedItem[]): boolean {
  return start.length <= items.length && JSON.stringify(items.slice(0, start.length)) === JSON.stringify(start)
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === false || (Array.isArray(value) && value.length === 0)
}

const BLANK: Asked = { method: '', path: '', model: '', stream: false, system: '', tools: [], items: [], body: '' }

function fromWritten(value: unknown, earlier: readonly TapedExchange[]): TapedExchange {
  const at = `exchange ${earlier.length + 1}`
  const { request, answer } = need(value, at) as unknown as Written
  const { after, items = [], ...given } = need(request, `${at}.request`) as unknown as Written['request']
  const before = after === undefined ? BLANK : earlier[after - 1]?.asked
  if (before === undefined) throw new Error(`${at}.request.after is ${after}, which is no exchange before it`)
  if (!Array.isArray(items)) throw new Error(`${at}.request.items is not a list`)
  for (const name of INHERITED) checkKind(given[name], BLANK[name], `${at}.request.${name}`)
  const asked = { ...before, ...given, items: [...before.items, ...(items as AskedItem[])] }
  return { asked, answer: toAnswer(need(answer, `${at}.answer`) as unknown as Written['answer'], at) }
}

/** Unless `value` is left out, it must be of the kind of `like`: a text, true or false, or a list of texts. */
function checkKind(value: unknown, like: string | boolean | readonly string[], at: string): void {
  if (value === undefined) return
  const fits = Array.isArray(like)
    ? Array.isArray(value) && value.every((one) => typeof one === 'string')
    : typeof value === typeof like
  if (!fits) throw new Error(`${at} is ${JSON.stringify(value)}`)
}

function toAnswer({ status, headers, body, chunkBytes }: Written['answer'], at: string): TapedAnswer {
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new Error(`${at}.answer.status is ${status}`)
  if (!Array.isArray(body) || !body.every((event) => typeof event === 'string'))
    throw new Error(`${at}.answer.body is not a list of texts`)
  const whole = body.join('')
  const sizes = chunkBytes ?? body.map((event: string) => Buffer.byteLength(event))
  if (!Array.isArray(sizes) || sizes.reduce((sum, size) => sum + Number(size), 0) !== Buffer.byteLength(whole))
    throw new Error(`${at}.answer.chunkBytes does not add up to the bytes of its body; leave it out after an edit`)
  const texts = Object.entries(need(headers, `${at}.answer.headers`)).map(
    ([name, text]) => [name, String(text)] as const,
  )
  return { status, headers: Object.fromEntries(texts), body: whole, chunkBytes: sizes }
}

function need(value: unknown, at: string): Record<string, unknown> {
  if (!isRecord(value)) throw new Error(`${at} is not a mapping`)
  return value
}
