/** Reasoning: streamed, then completed; without the notice that `codex exec` leaves in it. */
import type { EventBody } from '@loader-smoke/agent-sdk'
import { type Item, joined } from '../wire/messages.ts'
import type { OpenReasoning } from './items.ts'
import { withdrawStale } from './message.ts'

type Reasonings = Map<string, OpenReasoning>

/** Not the model's: `codex exec` prints it, and it reaches the reasoning of some versions. */
const stdinNotice = 'Reading additional input from stdin...'

/** One more piece. Held back while the whole could still become the notice; then it goes out in one piece. */
export function reasoningDelta(reasonings: Reasonings, itemId: string, text: string): readonly EventBody[] {
  const known = reasonings.get(itemId)
  const withdrawn = known === undefined ? withdrawStale(reasonings, 'reasoning_delta', itemId) : []
  const open = known ?? { held: '', length: 0, stale: false }
  if (known === undefined) reasonings.set(itemId, open)
  const replaces = open.stale && open.length > 0
  if (open.stale) Object.assign(open, { held: '', length: 0, stale: false })
  const whole = open.held + text
  if (open.length === 0 && !replaces && stdinNotice.startsWith(whole)) {
    open.held = whole
    return withdrawn
  }
  open.held = ''
  open.length += whole.length
  return [...withdrawn, { event: 'reasoning_delta', itemId, text: whole, mode: replaces ? 'replace' : 'append' }]
}

/** A further part of the summary begins; the first has nothing before it to be set off from. */
export function reasoningBreak(reasonings: Reasonings, itemId: string): readonly EventBody[] {
  const open = reasonings.get(itemId)
  const begun = open !== undefined && !open.stale && (open.length > 0 || open.held !== '')
  return begun ? reasoningDelta(reasonings, itemId, '\n\n') : []
}

/** The whole reasoning. Says nothing when any of it has streamed: the parts and their breaks differ between the two. */
export function reasoningCompleted(reasonings: Reasonings, itemId: string, item: Item): readonly EventBody[] {
  const open = reasonings.get(itemId)
  reasonings.delete(itemId)
  const withdrawn = withdrawStale(reasonings, 'reasoning_delta', itemId)
  if (open !== undefined && open.length > 0 && !open.stale) return withdrawn
  if (open !== undefined && open.held !== '')
    return open.held === stdinNotice
      ? withdrawn
      : [...withdrawn, { event: 'reasoning_delta', itemId, text: open.held, mode: 'append' }]
  const text = reasoningText(item)
  if (text === '' || text === stdinNotice) return withdrawn
  return [...withdrawn, { event: 'reasoning_delta', itemId, text, mode: 'replace' }]
}

/** What a completed reasoning says: its summary, or its content where there is none. */
export function reasoningText(item: Item): string {
  const summary = joined(item.summary, '\n\n')
  if (summary !== '') return summary
  return joined(
    item.content?.map((part) => (typeof part === 'string' ? part : null)),
    '\n\n',
  )
}
