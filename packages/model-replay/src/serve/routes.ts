/** Which path is which API. */
import { AskError, type Dialect } from '../ask/ask.ts'
import { maskQuery } from './records.ts'

export type Route =
  | { readonly kind: 'ask'; readonly dialect: Dialect }
  | { readonly kind: 'models'; readonly id: string | undefined }

const ASKS: Readonly<Record<string, Dialect>> = {
  '/chat/completions': 'chat',
  '/responses': 'responses',
  '/messages': 'messages',
}

const KNOWN_PATHS = `POST ${Object.keys(ASKS).join(', ')} and GET /models, each with or without /v1`

/** The route of a request; undefined when nothing is there. Doubled slashes, which a base URL with a trailing slash makes, count as one. */
export function findRoute(method: string, url: string): Route | undefined {
  const path = (url.split('?', 1)[0] ?? '').replaceAll(/\/{2,}/g, '/').replace(/^\/v1(?=\/)/, '')
  const dialect = Object.hasOwn(ASKS, path) ? ASKS[path] : undefined
  if (method === 'POST' && dialect !== undefined) return { kind: 'ask', dialect }
  const models = /^\/models(?:\/(.+))?$/.exec(path)
  return method === 'GET' && models !== null ? { kind: 'models', id: models[1] } : undefined
}

/** The refusal of a request to an unknown path. */
export function nothingAt(method: string, url: string): AskError {
  return new AskError(`there is nothing at ${method} ${maskQuery(url)}; expected ${KNOWN_PATHS}.`, 404)
}
