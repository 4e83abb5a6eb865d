/** Says why a request has no turn: what came, what was expected, which turn is nearest, what to do next. */
import { type Ask, lastKind, lastUser, newResults, toolOf } from '../ask/ask.ts'
import type { Conversation, Script, Turn } from '../script/script.ts'
import type { Run } from './book.ts'
import { describeExpect, type Difference, differences, listTools } from './expect.ts'
import { excerpt } from './test-text.ts'

/** The text of the 400 answer to `ask`. `run` is the conversation it belongs to, `runs` those that took theirs already. */
export function explainMismatch(script: Script, ask: Ask, run: Run | undefined, runs: readonly Run[] = []): string {
  const expected = run === undefined ? expectNewConversation(script, runs) : expectOfRun(run)
  const nearest = nearestTurn(script, ask, run)
  return [
    `no turn of ${script.source} fits this request.`,
    `Came: ${describeAsk(ask)}`,
    `Expected: ${expected}`,
    ...(nearest === undefined ? [] : [`Nearest: ${nearest}`]),
    `Next: ${nextStep(run, runs, script)}`,
  ].join('\n')
}

/** A request in one paragraph; texts are cut to 160 characters. */
export function describeAsk(ask: Ask): string {
  const results = newResults(ask).map(({ callId, text }) => `${toolOf(ask, callId)} (${callId}): ${excerpt(text)}`)
  const kind = lastKind(ask)
  return [
    `${ask.dialect} request, model ${excerpt(ask.model)}`,
    ask.thread === undefined ? 'no thread id' : `thread ${excerpt(ask.thread)}`,
    ...(ask.agent === undefined ? [] : [`agent ${excerpt(ask.agent)}`]),
    ...(ask.subagent ? ['a sub-agent'] : []),
    ...(ask.purpose === 'turn' ? [] : [`purpose ${ask.purpose}`]),
    `${ask.items.length} items, last ${kind}`,
    kind === 'tool' ? `results ${results.join('; ')}` : `user says ${excerpt(lastUser(ask))}`,
    `tools ${listTools(ask)}`,
  ].join(', ')
}

function expectOfRun({ conversation, cursor, served }: Run): string {
  const { turns, order, name } = conversation
  const left = turns.filter((turn, at) => (order === 'any' ? (served[at] ?? 0) < turn.times : at >= cursor))
  const first = left[0]
  if (first === undefined) return `nothing more: all ${turns.length} turns of ${JSON.stringify(name)} were served.`
  if (order === 'any') return `one of ${left.map((turn) => describeTurn(conversation, turn)).join('; ')}`
  return describeTurn(conversation, first)
}

function expectNewConversation({ conversations }: Script, runs: readonly Run[]): string {
  return conversations
    .map((conversation) => {
      const taken = runs.find((run) => run.conversation === conversation)
      if (taken !== undefined && conversation.scope === 'one')
        return `${JSON.stringify(conversation.name)} belongs to ${taken.thread === undefined ? 'the conversation that came first' : `thread ${excerpt(taken.thread)}`}`
      const match = describeExpect(conversation.match)
      const opening = conversation.turns[0] as Turn
      return `${JSON.stringify(conversation.name)}${match.length === 0 ? '' : ` where ${match.join(', ')}`}, beginning with ${describeTurn(conversation, opening)}`
    })
    .join('; ')
}

function describeTurn({ name }: Conversation, turn: Turn): string {
  const tests = describeExpect(turn.expect)
  return `${JSON.stringify(turn.name)} of ${JSON.stringify(name)}${tests.length === 0 ? '' : ` where ${tests.join(', ')}`}`
}

function nearestTurn(script: Script, ask: Ask, run: Run | undefined): string | undefined {
  const conversations = run === undefined ? script.conversations : [run.conversation]
  let best: { readonly text: string; readonly away: number } | undefined
  for (const conversation of conversations) {
    const outer = run === undefined ? differences(conversation.match, ask) : []
    for (const turn of conversation.turns) {
      const all = [...outer, ...differences(turn.expect, ask)]
      if (all.length > 0 && (best === undefined || all.length < best.away))
        best = {
          text: `${describeTurn(conversation, turn)}; ${all.map(describeDifference).join('; ')}.`,
          away: all.length,
        }
    }
  }
  return best?.text
}

function describeDifference({ expected, came }: Difference): string {
  return `expected ${expected}, but ${came}`
}

function nextStep(run: Run | undefined, runs: readonly Run[], { conversations }: Script): string {
  if (run !== undefined) return 'add the turn to the script, correct its expect, or find out why the app asks this.'
  if (conversations.every((one) => one.scope === 'one' && runs.some((taken) => taken.conversation === one)))
    return 'a further conversation began: give it its own entry in conversations, or set for: each (a copy for every conversation) or for: all (turns in order of arrival).'
  return 'correct match and expect of the conversation, or find out why the app asks this.'
}
