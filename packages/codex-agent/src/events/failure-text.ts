/** Why a turn failed, for a person. Pure. */
import type { Turn } from '../wire/messages.ts'

/** Kinds whose message, as 0.171.0 words it, does not tell what the model server did. */
const vagueKinds = ['internalServerError', 'serverOverloaded']

/** The server's message: the text inside, where it is the raw body of an HTTP answer, and the kind behind it where the text is vague. */
export function failureText(error: Turn['error']): string {
  const text = error?.message
  if (!text) return 'codex failed without saying why'
  const kind = error.codexErrorInfo
  return typeof kind === 'string' && vagueKinds.includes(kind) ? `${text} (${kind})` : innerMessage(text)
}

function innerMessage(text: string): string {
  if (!text.startsWith('{')) return text
  try {
    const message: unknown = JSON.parse(text)?.error?.message
    return typeof message === 'string' && message !== '' ? message : text
  } catch {
    // Not JSON: the text is the message.
    return text
  }
}
