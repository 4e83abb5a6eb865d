/** The errors that services name: overload, a context that is too long, a quota that is used up. In the words of each API. */
import type { ErrorAnswer } from '../answer/to-error.ts'
import type { Dialect } from '../ask/ask.ts'

type NamedError = 'overloaded' | 'context-overflow' | 'quota'

const OPENAI: Readonly<Record<NamedError, ErrorAnswer>> = {
  overloaded: {
    status: 503,
    message: 'Our servers are currently overloaded. Try again later.',
    type: 'service_unavailable_error',
    code: 'server_is_overloaded',
  },
  'context-overflow': {
    status: 400,
    message: 'Your input exceeds the context window of this model. Adjust your input and try again.',
    type: 'invalid_request_error',
    code: 'context_length_exceeded',
  },
  quota: {
    status: 429,
    message: 'You exceeded your current quota, check your plan and billing details.',
    type: 'insufficient_quota',
    code: 'insufficient_quota',
  },
}

const ANTHROPIC: Readonly<Record<NamedError, ErrorAnswer>> = {
  overloaded: { status: 529, message: 'Overloaded', type: 'overloaded_error' },
  'context-overflow': {
    status: 400,
    message: 'prompt is too long: 210000 tokens > 200000 maximum',
    type: 'invalid_request_error',
  },
  quota: {
    status: 400,
    message: 'Your credit balance is too low to access the API.',
    type: 'invalid_request_error',
  },
}

/** The error `kind` of the service that speaks `dialect`; undefined when `kind` is another fault. */
export function namedError(kind: string, dialect: Dialect): ErrorAnswer | undefined {
  const errors: Readonly<Record<string, ErrorAnswer>> = dialect === 'messages' ? ANTHROPIC : OPENAI
  return Object.hasOwn(errors, kind) ? errors[kind] : undefined
}
