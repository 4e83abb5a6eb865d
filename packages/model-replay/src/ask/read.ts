/** Readers for request bodies of unknown content. */
import { isRecord } from '../script/check-shape.ts'
import { AskError } from './ask.ts'

export type Json = Readonly<Record<string, unknown>>

/** The body as a mapping. @throws AskError */
export function readBody(text: string): Json {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new AskError(`the body is not JSON: ${(error as Error).message}.`)
  }
  if (!isRecord(value)) throw new AskError('the body is not a JSON object.')
  return value
}

/** `body.model`. @throws AskError when it is no text */
export function readModel(body: Json): string {
  const { model } = body
  if (typeof model !== 'string' || model === '') throw new AskError('the body has no "model".')
  return model
}

/** `body.stream`, false when absent. @throws AskError when it is no boolean */
export function readStream(body: Json): boolean {
  const { stream } = body
  if (stream === undefined || stream === null) return false
  if (typeof stream !== 'boolean') throw new AskError('"stream" is neither true nor false.')
  return stream
}

/** The mapping at `value`. @throws AskError naming `at` */
export function readRecord(value: unknown, at: string): Json {
  if (!isRecord(value)) throw new AskError(`${at} is not an object.`)
  return value
}

/** The list at `value`. @throws AskError naming `at` */
export function readList(value: unknown, at: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new AskError(`${at} is not a list.`)
  return value
}

/** The text at `value`. @throws AskError naming `at` */
export function readString(value: unknown, at: string): string {
  if (typeof value !== 'string') throw new AskError(`${at} is not text.`)
  return value
}

/**
 * The text of a message's content: a string, or a list of parts whose texts are joined; other parts are shown as `[type]`.
 * @throws AskError naming `at`
 */
export function readText(content: unknown, at: string): string {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  return readList(content, at)
    .map((part, index) => {
      const { type, text, refusal } = readRecord(part, `${at}[${index}]`)
      if (typeof text === 'string') return text
      if (typeof refusal === 'string') return refusal
      return `[${readString(type, `${at}[${index}].type`)}]`
    })
    .join('')
}
