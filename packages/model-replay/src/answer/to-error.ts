/** Writes an error in the form of each API. */
import { STATUS_CODES } from 'node:http'
import type { Dialect } from '../ask/ask.ts'

/** What goes wrong, free of the API. */
export interface ErrorAnswer {
  readonly status: number
  readonly message?: string | undefined
  readonly type?: string | undefined
  readonly code?: string | undefined
  readonly body?: unknown
}

/** The JSON body of an error. @see https://platform.openai.com/docs/guides/error-codes @see https://docs.claude.com/en/api/errors */
export function toErrorBody(error: ErrorAnswer, dialect: Dialect | undefined): string {
  if (error.body !== undefined) return typeof error.body === 'string' ? error.body : JSON.stringify(error.body)
  return JSON.stringify(
    dialect === 'messages'
      ? { type: 'error', error: toErrorFields(error, dialect), request_id: null }
      : { error: toErrorFields(error, dialect) },
  )
}

/** The inner object of an error. */
export function toErrorFields({ status, message, type, code }: ErrorAnswer, dialect: Dialect | undefined): object {
  const text = message ?? STATUS_CODES[status] ?? `status ${status}`
  if (dialect === 'messages') return { type: type ?? anthropicType(status), message: text }
  return { message: text, type: type ?? openaiType(status), param: null, code: code ?? null }
}

function openaiType(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}

const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

function anthropicType(status: number): string {
  return ANTHROPIC_TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
}
