/** Text of the assistant: streamed, then completed. What the host has in the end is exactly the completed text. */
import type { EventBody } from '@loader-smoke/agent-sdk'
import type { OpenText } from './items.ts'
import { addToHash, emptyHash } from './text-hash.ts'

type Messages = Map<string, OpenText>

/** One more piece of a message. After a dropped stream it replaces what was shown, for a server repeats the whole message. */
export function messageDelta(messages: Messages, itemId: string, text: string): readonly EventBody[] {
  const open = messages.get(itemId)
  if (open === undefined || open.stale) {
    const withdrawn = withdrawStale(messages, 'text_delta', itemId)
    messages.set(itemId, { length: text.length, hash: addToHash(emptyHash, text), stale: false })
    return [...withdrawn, { event: 'text_delta', itemId, text, mode: open === undefined ? 'append' : 'replace' }]
  }
  open.length += text.length
  open.hash = addToHash(open.hash, text)
  return [{ event: 'text_delta', itemId, text, mode: 'append' }]
}

/** The whole message; says nothing when exactly this has streamed. */
export function messageCompleted(messages: Messages, itemId: string, text: string): readonly EventBody[] {
  const open = messages.get(itemId)
  messages.delete(itemId)
  const withdrawn = withdrawStale(messages, 'text_delta', itemId)
  const same =
    open === undefined ? text === '' : open.length === text.length && open.hash === addToHash(emptyHash, text)
  return same ? withdrawn : [...withdrawn, { event: 'text_delta', itemId, text, mode: 'replace' }]
}

/** The server drops the response and begins it again. Nothing is said until it streams: should it fail, what was shown stays. */
export function markStale(open: ReadonlyMap<string, { stale: boolean }>): void {
  for (const text of open.values()) text.stale = true
}

/** A repeated response may stream under a new item id: then the old item will never complete, and its text is taken back. */
export function withdrawStale(
  open: Map<string, { readonly stale: boolean; readonly length: number }>,
  event: 'text_delta' | 'reasoning_delta',
  exceptId: string,
): readonly EventBody[] {
  if (open.size === 0) return []
  const bodies: EventBody[] = []
  for (const [itemId, { stale, length }] of open) {
    if (!stale || itemId === exceptId) continue
    open.delete(itemId)
    if (length > 0) bodies.push({ event, itemId, text: '', mode: 'replace' })
  }
  return bodies
}
