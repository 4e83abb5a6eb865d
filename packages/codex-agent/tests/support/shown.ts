/** What a host shows after a list of events. */
import type { Event } from '@loader-smoke/agent-sdk'

/** The texts of the assistant in the order in which they began, as appends and replacements leave them. Withdrawn texts are left out. */
export function shownTexts(events: readonly Event[], kind: 'text_delta' | 'reasoning_delta' = 'text_delta'): string[] {
  const texts = new Map<string, string>()
  for (const event of events) {
    if (event.event !== kind) continue
    const before = event.mode === 'append' ? (texts.get(event.itemId) ?? '') : ''
    texts.set(event.itemId, before + event.text)
  }
  return [...texts.values()].filter((text) => text !== '')
}

/** The events of one kind. */
export function eventsOf<Kind extends Event['event']>(
  events: readonly Event[],
  kind: Kind,
): Extract<Event, { readonly event: Kind }>[] {
  return events.filter((event): event is Extract<Event, { readonly event: Kind }> => event.event === kind)
}

/** Whether every run among the events ends at most once, and those in `runIds` exactly once. */
export function endedOnce(events: readonly Event[], runIds: readonly string[]): boolean {
  const ends = eventsOf(events, 'run_finished').map(({ runId }) => runId)
  return new Set(ends).size === ends.length && runIds.every((runId) => ends.includes(runId))
}
