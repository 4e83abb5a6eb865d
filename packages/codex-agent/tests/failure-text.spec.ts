import { expect, test } from 'vitest'
import { failureText } from '../src/events/failure-text.ts'

const error = (message: string, codexErrorInfo: string | null = null) => ({
  message,
  codexErrorInfo,
  additionalDetails: null,
})

test.each([
  ['the message as it is', error('stream disconnected'), 'stream disconnected'],
  [
    'the message inside the raw body of an answer',
    error('{"error":{"message":"no such tool","code":"x"}}'),
    'no such tool',
  ],
  ['a body without a message, whole', error('{"detail":"x"}'), '{"detail":"x"}'],
  ['what only looks like JSON, whole', error('{oops'), '{oops'],
  [
    'the kind of an error whose message is vague',
    error('We’re experiencing high demand.', 'internalServerError'),
    'We’re experiencing high demand. (internalServerError)',
  ],
  ['no kind where the message says it', error('Quota exceeded.', 'usageLimitExceeded'), 'Quota exceeded.'],
  ['that nothing was said', null, 'codex failed without saying why'],
])('a failed turn tells %s', (_title, given, text) => {
  expect(failureText(given)).toBe(text)
})
