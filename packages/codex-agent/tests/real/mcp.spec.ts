/** MCP servers behind the real Codex CLI: what they ask reaches the user, and the answer reaches them. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { realCodex } from '../support/real-codex.ts'
import { eventsOf, shownTexts } from '../support/shown.ts'

const server = fileURLToPath(new URL('fixtures/clock-server.mjs', import.meta.url))
const tables = `[mcp_servers.clock]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(server)}]
`
const script = {
  turns: [
    { toolCalls: [{ name: 'now', namespace: 'mcp__clock', arguments: {} }] },
    { expect: { last: 'tool' as const }, text: 'You heard it.' },
  ],
}

test('a tool of an MCP server asks for permission, then its server asks for what it needs', async () => {
  await using codex = await realCodex({ script, tables, model: 'mock-model' })
  const { sessionId } = await codex.agent.createSession({
    workspace: codex.workspace,
    options: { permission_mode: 'ask' },
  })
  await codex.agent.prompt({ sessionId, input: { blocks: [{ type: 'text', text: 'What time is it?' }] } })
  const approval = await codex.seen('approval')
  expect(approval.options.map(({ id }) => id)).toEqual(['accept', 'acceptForSession', 'acceptAlways', 'cancel'])
  await codex.agent.respondToApproval({ approvalId: approval.id, optionId: 'accept' })
  const question = await codex.seen('question')
  expect(question).toMatchObject({ responseMode: 'elicitation', message: 'Which zone?' })
  // The server hands the properties on in the order of their names.
  expect(question.fields).toEqual([
    { id: 'hours', label: 'hours', kind: 'text', required: false },
    { id: 'zone', label: 'Zone', kind: 'text', required: true },
  ])
  await codex.agent.respondToQuestion({
    questionId: question.id,
    answer: { values: { zone: 'UTC', hours: '12' }, cancelled: false },
  })
  expect((await codex.seen('run_finished')).outcome).toEqual({ status: 'completed' })
  expect(eventsOf(codex.events, 'tool_call_updated').at(-1)).toMatchObject({
    status: 'completed',
    title: 'clock.now',
    content: [{ type: 'text', text: 'accept: noon in UTC, number 12' }],
  })
  expect(shownTexts(codex.events)).toEqual(['You heard it.'])
})

test('a tool of an MCP server that is not allowed is not called', async () => {
  await using codex = await realCodex({ script, tables, model: 'mock-model' })
  const { sessionId } = await codex.agent.createSession({
    workspace: codex.workspace,
    options: { permission_mode: 'ask' },
  })
  await codex.agent.prompt({ sessionId, input: { blocks: [{ type: 'text', text: 'What time is it?' }] } })
  const approval = await codex.seen('approval')
  await codex.agent.respondToApproval({ approvalId: approval.id, optionId: 'cancel' })
  await codex.seen('run_finished')
  expect(eventsOf(codex.events, 'question')).toEqual([])
  expect(JSON.stringify(eventsOf(codex.events, 'tool_call_updated'))).not.toContain('noon')
})
