/** Fingerprints of a conversation's history, for clients that send no thread id. */
import { createHash } from 'node:crypto'
import type { Ask } from '../ask/ask.ts'

/**
 * One digest for each prefix of the history: entry i covers items 0 to i. Model, system text and dialect count too.
 * Two requests have an equal entry i exactly when they begin with the same i + 1 items.
 */
export function fingerprints(ask: Ask): string[] {
  const hash = createHash('sha1').update(JSON.stringify([ask.dialect, ask.model, ask.system]))
  return ask.items.map((item) => hash.update(JSON.stringify(item)).copy().digest('base64'))
}
