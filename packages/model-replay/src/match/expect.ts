/** Holds a request against the tests of a turn. */
import { type Ask, firstUser, lastKind, lastUser, newResults, toolOf } from '../ask/ask.ts'
import type { ExpectObject, TextTest } from '../script/schema.ts'
import { describeTest, excerpt, testText } from './test-text.ts'

/** One test that a request does not pass. */
export interface Difference {
  readonly expected: string
  readonly came: string
}

/** Every test of `expect` that `ask` does not pass; empty when it fits. */
export function differences(expect: ExpectObject, ask: Ask): Difference[] {
  const found: Difference[] = []
  const text = (name: string, test: TextTest | undefined, came: string | undefined) => {
    if (test !== undefined && (came === undefined || !testText(test, came)))
      found.push({
        expected: `${name} ${describeTest(test)}`,
        came: `${name} is ${came === undefined ? 'absent' : excerpt(came)}`,
      })
  }
  const value = (name: string, wanted: string | boolean | undefined, came: string | boolean) => {
    if (wanted !== undefined && wanted !== came)
      found.push({ expected: `${name} is ${wanted}`, came: `${name} is ${came}` })
  }
  value('dialect', expect.dialect, ask.dialect)
  value('stream', expect.stream, ask.stream)
  value('purpose', expect.purpose, ask.purpose)
  value('subagent', expect.subagent, ask.subagent)
  value('last', expect.last, lastKind(ask))
  text('model', expect.model, ask.model)
  text('thread', expect.thread, ask.thread)
  text('agent', expect.agent, ask.agent)
  text('firstUser', expect.firstUser, firstUser(ask))
  text('user', expect.user, lastUser(ask))
  text('system', expect.system, ask.system)
  found.push(...resultDifferences(expect.toolResult, ask))
  for (const tool of expect.tools ?? []) {
    if (!ask.tools.some(({ name }) => name === tool))
      found.push({ expected: `tools has ${tool}`, came: `tools is ${listTools(ask)}` })
  }
  return found
}

/** The tests in words, one per entry. */
export function describeExpect(expect: ExpectObject): string[] {
  return Object.entries(expect).map(([name, test]) => {
    if (name === 'toolResult') return describeResultTest(test as NonNullable<ExpectObject['toolResult']>)
    if (Array.isArray(test)) return `${name} has ${test.join(', ')}`
    if (typeof test === 'object') return `${name} ${describeTest(test as TextTest)}`
    const isText = ['user', 'firstUser', 'system', 'model', 'thread', 'agent'].includes(name)
    return isText ? `${name} ${describeTest(test as string)}` : `${name} is ${test as string | boolean}`
  })
}

function resultDifferences(test: ExpectObject['toolResult'], ask: Ask): Difference[] {
  if (test === undefined) return []
  const results = newResults(ask)
  const [tool, inner] = splitResultTest(test)
  const fits = results.some(
    ({ callId, text }) =>
      (tool === undefined || callId === tool || toolOf(ask, callId) === tool) && testText(inner, text),
  )
  if (fits) return []
  const came = results.map(({ callId, text }) => `${toolOf(ask, callId)}: ${excerpt(text)}`)
  return [{ expected: describeResultTest(test), came: `tool results are ${came.join('; ') || 'none'}` }]
}

function describeResultTest(test: NonNullable<ExpectObject['toolResult']>): string {
  const [tool, inner] = splitResultTest(test)
  return `a tool result${tool === undefined ? '' : ` of ${tool}`} ${describeTest(inner)}`
}

function splitResultTest(test: NonNullable<ExpectObject['toolResult']>): [string | undefined, TextTest] {
  return typeof test === 'object' && 'tool' in test ? [test.tool, test.text] : [undefined, test]
}

/** Names of the offered tools, at most 20 of them. */
export function listTools({ tools }: Ask): string {
  const names = tools.map(({ name, namespace }) => (namespace === undefined ? name : `${namespace}.${name}`))
  const more = names.length > 20 ? ` and ${names.length - 20} more` : ''
  return names.length === 0 ? 'empty' : `${names.slice(0, 20).join(', ')}${more}`
}
