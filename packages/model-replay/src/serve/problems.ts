/** What a run of the server leaves to complain about. */
import { AssertionError } from 'node:assert'
import type { Book } from '../match/book.ts'
import type { RecordedRequest } from './records.ts'

/** One sentence for each request that the script did not expect and each cut answer that was not asked for again. */
export function listProblems(requests: readonly RecordedRequest[]): string[] {
  return requests.flatMap((request) => {
    const which = `request ${request.number} (${request.method} ${request.path})`
    if (request.refusal !== undefined) return [`${which} was refused with ${request.status}: ${request.refusal}`]
    if (request.cutAccepted)
      return [
        `${which} got an answer that was cut off with no finish reason (${request.turn} of ${request.conversation}), and the client did not ask again.`,
      ]
    return []
  })
}

/** One sentence for each turn that was served too seldom; the last one with what to do next. */
export function listUnused(book: Book): string[] {
  const unused = book
    .unused()
    .map(
      ({ conversation, turn, served, expected }) =>
        `${JSON.stringify(turn)} of ${JSON.stringify(conversation)} was served ${served} of ${expected} times.`,
    )
  return withNext(
    unused,
    'find out why the app did not ask, take the turn out of the script, or mark it optional: true.',
  )
}

/** `sentences` with what to do next behind the last one. */
export function withNext(sentences: readonly string[], next: string): string[] {
  return sentences.map((one, at) => (at === sentences.length - 1 ? `${one}\nNext: ${next}` : one))
}

/** Everything that went against the script in one text; undefined when all was played as written. */
export function describeDeviations(
  source: string,
  requests: readonly RecordedRequest[],
  unused: readonly string[],
): string | undefined {
  const found = [...listProblems(requests), ...unused]
  if (found.length === 0) return undefined
  return `model-replay: ${source} was not played as written:\n${found.map((one) => `  - ${one}`).join('\n')}`
}

/** @throws AssertionError when there is a problem or something unused; all of it at once */
export function assertConsumed(source: string, requests: readonly RecordedRequest[], unused: readonly string[]): void {
  const message = describeDeviations(source, requests, unused)
  if (message !== undefined) throw new AssertionError({ message })
}
