/** Sessions of the real Codex CLI: stored, listed, read, copied, taken back. */
import { expect, test } from 'vitest'
import { realCodex } from '../support/real-codex.ts'
import { eventsOf, shownTexts } from '../support/shown.ts'

const text = (value: string) => ({ blocks: [{ type: 'text', text: value } as const] })

test('a session is listed and read with its tools', async () => {
  await using codex = await realCodex({
    script: { turns: [{ toolCalls: [{ name: 'exec_command', arguments: { cmd: 'echo hi' } }] }, { text: 'Said hi.' }] },
  })
  const { workspace } = codex
  const { sessionId } = await codex.agent.createSession({ workspace, options: { permission_mode: 'full' } })
  expect((await codex.agent.readSession({ sessionId, workspace })).items).toEqual([])
  await codex.run(sessionId, 'Greet\nnicely')
  const { sessions } = await codex.agent.listSessions({ workspace })
  expect(sessions).toEqual([
    {
      id: sessionId,
      title: 'Greet',
      createdAt: expect.stringMatching(/^20\d\d-/),
      updatedAt: expect.stringMatching(/^20\d\d-/),
    },
  ])
  const { items } = await codex.agent.readSession({ sessionId, workspace })
  expect(items).toMatchObject([
    { role: 'user', text: 'Greet\nnicely' },
    { role: 'tool', toolCall: { title: 'echo hi', status: 'completed' } },
    { role: 'assistant', text: 'Said hi.' },
  ])
  expect(codex.events.at(-1)).toEqual({ sessionId, event: 'session_info', title: 'Greet' })
})

test('rollback forgets a message and what followed it', async () => {
  await using codex = await realCodex({
    script: { turns: [{ text: 'First.' }, { text: 'Second.' }, { expect: { user: 'Three' }, text: 'Third.' }] },
  })
  const { workspace } = codex
  const { sessionId } = await codex.agent.createSession({ workspace })
  await codex.run(sessionId, 'One')
  const { runId } = await codex.agent.prompt({ sessionId, input: { ...text('Two'), itemId: 'host-2' } })
  await codex.seen('run_finished', (event) => event.runId === runId)
  await codex.agent.rollback({ sessionId, itemId: 'host-2' })
  await codex.run(sessionId, 'Three')
  const sent = JSON.stringify(codex.replay.requests.at(-1))
  expect([sent.includes('First.'), sent.includes('Second.')]).toEqual([true, false])
  await expect(codex.agent.rollback({ sessionId, itemId: 'nobody' })).rejects.toThrow(
    `codex does not know message nobody in session ${sessionId}`,
  )
})

test('a fork goes on by itself from where the original was', async () => {
  await using codex = await realCodex({ script: { turns: [{ text: 'First.' }, { text: 'Forked.' }], for: 'all' } })
  const { workspace } = codex
  const { sessionId } = await codex.agent.createSession({ workspace })
  await codex.run(sessionId, 'One')
  const fork = await codex.agent.forkSession({ sessionId, workspace })
  expect(fork.sessionId).not.toBe(sessionId)
  await codex.run(fork.sessionId, 'Two')
  expect(JSON.stringify(codex.replay.requests.at(-1))).toContain('First.')
  expect(shownTexts(codex.events.filter((event) => event.sessionId === sessionId))).toEqual(['First.'])
  expect(eventsOf(codex.events, 'notice').filter(({ message }) => /deprecat/i.test(message))).toEqual([])
})

test('new instructions for an existing session reach the model', async () => {
  await using codex = await realCodex({ script: { turns: [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }] } })
  const { workspace } = codex
  const { sessionId } = await codex.agent.createSession({ workspace, instructions: 'Answer in Latin.' })
  await codex.run(sessionId, 'One')
  await codex.agent.closeSession({ sessionId })
  await codex.agent.resumeSession({ sessionId, workspace, instructions: 'Answer in Greek.' })
  await codex.run(sessionId, 'Two')
  await codex.run(sessionId, 'Three')
  const sent = codex.replay.requests.map((request) => JSON.stringify(request).split('Answer in Greek.').length - 1)
  expect(sent).toEqual([0, 1, 1])
})

test('compacting is a run of its own', async () => {
  await using codex = await realCodex({
    script: { turns: [{ text: 'First.' }, { expect: { purpose: 'compaction' }, text: 'A summary.' }, { text: 'On.' }] },
  })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
  await codex.run(sessionId, 'One')
  await codex.agent.compact({ sessionId })
  const started = await codex.seen('run_started')
  await codex.seen('compacted')
  const ended = await codex.seen('run_finished', ({ runId }) => runId === started.runId)
  expect(ended.outcome).toEqual({ status: 'completed' })
  expect((await codex.run(sessionId, 'Two')).outcome).toEqual({ status: 'completed' })
})

test('a full context is compacted within the next turn, which answers as any other', async () => {
  await using codex = await realCodex({
    script: {
      turns: [
        { text: 'First.' },
        { fault: 'context-overflow' },
        { expect: { purpose: 'compaction' }, text: 'A summary.', optional: true },
        { text: 'Fits again.' },
      ],
      for: 'all',
    },
  })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
  await codex.run(sessionId, 'One')
  expect((await codex.run(sessionId, 'Two')).outcome).toMatchObject({ status: 'failed' })
  const { runId, outcome } = await codex.run(sessionId, 'Three')
  expect(outcome).toEqual({ status: 'completed' })
  expect(eventsOf(codex.events, 'compacted')).toMatchObject([{ runId }])
  expect(shownTexts(codex.events).at(-1)).toBe('Fits again.')
  expect(eventsOf(codex.events, 'usage_blocked')).toEqual([])
})
