/** Writes an error as the end of a stream whose head said 200. */
import type { Ask } from '../ask/ask.ts'
import { type ErrorAnswer, toErrorFields } from './to-error.ts'

/** The SSE events of an error within a stream, in the form of the request's API. `id` names the response. */
export function toErrorEvents(error: ErrorAnswer, ask: Ask, id: string): string {
  const fields = toErrorFields(error, ask.dialect)
  switch (ask.dialect) {
    case 'chat':
      return `data: ${JSON.stringify({ error: fields })}\n\n`
    case 'messages':
      return `event: error\ndata: ${JSON.stringify({ type: 'error', error: fields })}\n\n`
    case 'responses': {
      const { code = 'server_error', message = 'The server had an error.' } = error
      const response = { id: `resp_${id}`, object: 'response', status: 'failed', model: ask.model, output: [] }
      const begun = { ...response, status: 'in_progress' }
      const failed = { ...response, error: { code, message } }
      return [
        { type: 'response.created', response: begun, sequence_number: 0 },
        { type: 'response.failed', response: failed, sequence_number: 1 },
      ]
        .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
        .join('')
    }
  }
}
