/** Approvals that the real Codex CLI asks for. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realCodex } from '../support/real-codex.ts'
import { eventsOf } from '../support/shown.ts'

const writes = (cmd: string) => ({
  turns: [{ toolCalls: [{ name: 'exec_command', arguments: { cmd } }] }, { text: 'Went on.', optional: true }],
})

test('the first approval, whose request id is 0, is held, answered and ends the wait', async () => {
  await using codex = await realCodex({ script: writes('touch allowed.txt') })
  const { sessionId } = await codex.agent.createSession({
    workspace: codex.workspace,
    options: { permission_mode: 'ask' },
  })
  const { runId } = await codex.agent.prompt({ sessionId, input: { blocks: [{ type: 'text', text: 'Touch a file' }] } })
  const approval = await codex.seen('approval')
  expect([...codex.agent.approvals.values()].map(({ request }) => request.id)).toEqual([0])
  expect(approval).toMatchObject({
    sessionId,
    runId,
    title: 'Run a command',
    toolCall: { kind: 'execute', status: 'pending', title: 'touch allowed.txt' },
  })
  await codex.agent.respondToApproval({ approvalId: approval.id, optionId: 'accept' })
  expect((await codex.seen('run_finished')).outcome).toEqual({ status: 'completed' })
  expect(existsSync(join(codex.workspace, 'allowed.txt'))).toBe(true)
  // The server reports our own answer as resolved; the host knows it already.
  expect(eventsOf(codex.events, 'approval_resolved')).toEqual([])
})

test('a declined command is not run, and the turn goes on', async () => {
  await using codex = await realCodex({ script: writes('touch declined.txt') })
  const { sessionId } = await codex.agent.createSession({
    workspace: codex.workspace,
    options: { permission_mode: 'ask' },
  })
  await codex.agent.prompt({ sessionId, input: { blocks: [{ type: 'text', text: 'Touch a file' }] } })
  await codex.agent.respondToApproval({ approvalId: (await codex.seen('approval')).id, optionId: 'decline' })
  expect((await codex.seen('run_finished')).outcome).toEqual({ status: 'completed' })
  expect(eventsOf(codex.events, 'tool_call_updated').at(-1)).toMatchObject({ status: 'declined' })
  expect(existsSync(join(codex.workspace, 'declined.txt'))).toBe(false)
})

test('two commands ask at the same time, and each gets its own answer', async () => {
  await using codex = await realCodex({
    script: {
      turns: [
        {
          toolCalls: ['one', 'two'].map((name) => ({ name: 'exec_command', arguments: { cmd: `touch ${name}.txt` } })),
        },
        { text: 'Both seen.' },
      ],
    },
  })
  const { sessionId } = await codex.agent.createSession({
    workspace: codex.workspace,
    options: { permission_mode: 'ask' },
  })
  await codex.agent.prompt({ sessionId, input: { blocks: [{ type: 'text', text: 'Touch two files' }] } })
  const one = await codex.seen('approval', ({ toolCall }) => toolCall?.title === 'touch one.txt')
  const two = await codex.seen('approval', ({ toolCall }) => toolCall?.title === 'touch two.txt')
  expect(codex.agent.approvals.size).toBe(2)
  await codex.agent.respondToApproval({ approvalId: two.id, optionId: 'accept' })
  await codex.agent.respondToApproval({ approvalId: one.id, optionId: 'decline' })
  await codex.seen('run_finished')
  expect(['one.txt', 'two.txt'].map((name) => existsSync(join(codex.workspace, name)))).toEqual([false, true])
})

test('a file change is asked with its diff, and a stop closes the tool that never completes', async () => {
  const patch = '*** Begin Patch\n*** Add File: secret.txt\n+no\n*** End Patch\n'
  await using codex = await realCodex({ script: { turns: [{ toolCalls: [{ name: 'apply_patch', input: patch }] }] } })
  const { sessionId } = await codex.agent.createSession({
    workspace: codex.workspace,
    options: { permission_mode: 'ask' },
  })
  await codex.agent.prompt({ sessionId, input: { blocks: [{ type: 'text', text: 'Write' }] } })
  const approval = await codex.seen('approval')
  expect(approval).toMatchObject({
    title: 'Apply file changes',
    toolCall: {
      kind: 'edit',
      content: [{ type: 'diff', path: join(codex.workspace, 'secret.txt'), oldText: '', newText: 'no\n' }],
    },
  })
  await codex.agent.respondToApproval({ approvalId: approval.id, optionId: 'cancel' })
  expect((await codex.seen('run_finished')).outcome).toEqual({ status: 'cancelled' })
  expect(codex.events.filter(({ event }) => event !== 'tokens').slice(-2)).toMatchObject([
    { event: 'tool_call_updated', id: approval.toolCall?.id, status: 'cancelled' },
    { event: 'run_finished' },
  ])
  expect(existsSync(join(codex.workspace, 'secret.txt'))).toBe(false)
})
