/** Stopping the real Codex CLI: what runs must end, and what comes after must not be touched. */
import { processesWith, waitFor } from '@loader-smoke/testkit'
import { expect, test } from 'vitest'
import { realCodex } from '../support/real-codex.ts'
import { endedOnce, eventsOf, shownTexts } from '../support/shown.ts'

const options = { permission_mode: 'full' }

test('a stop ends the run at once and the shell command with it', async () => {
  await using codex = await realCodex({
    script: { turns: [{ toolCalls: [{ name: 'exec_command', arguments: { cmd: 'sleep 4711' } }] }] },
  })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace, options })
  await codex.agent.prompt({ sessionId, input: { blocks: [{ type: 'text', text: 'Wait' }] } })
  await codex.seen('tool_call_started')
  await waitFor('the command to run', () => sleeping('4711').length > 0)
  const stopped = codex.agent.cancel({ sessionId })
  expect(codex.events.at(-1)).toMatchObject({ event: 'run_finished', outcome: { status: 'cancelled' } })
  await stopped
  await waitFor('the command to be gone', () => sleeping('4711').length === 0)
  expect(eventsOf(codex.events, 'tool_call_updated').flatMap(({ status }) => status ?? [])).toEqual(['cancelled'])
})

test('a prompt right behind a stop is a run of its own, whatever still comes of the stopped turn', async () => {
  await using codex = await realCodex({
    script: {
      turns: [
        { content: [{ text: 'never' }, { hold: 'first' }, { text: ' finished' }] },
        { text: 'The second answer.' },
      ],
    },
  })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
  const first = await codex.agent.prompt({ sessionId, input: { blocks: [{ type: 'text', text: 'One' }] } })
  await codex.seen('text_delta')
  void codex.agent.cancel({ sessionId })
  const second = await codex.agent.prompt({ sessionId, input: { blocks: [{ type: 'text', text: 'Two' }] } })
  const ended = await codex.seen('run_finished', ({ runId }) => runId === second.runId)
  expect(ended.outcome).toEqual({ status: 'completed' })
  expect(endedOnce(codex.events, [first.runId, second.runId])).toBe(true)
  expect(
    eventsOf(codex.events, 'text_delta')
      .filter(({ runId }) => runId === second.runId)
      .map(({ text }) => text),
  ).toEqual(['The second answer.'])
})

test('a stop before the turn is known leaves no turn running', async () => {
  await using codex = await realCodex({
    script: {
      turns: [
        { expect: { user: 'One' }, content: [{ hold: 'never' }, { text: 'x' }], optional: true },
        { expect: { user: 'Two' }, text: 'Second.' },
      ],
      order: 'any',
    },
  })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
  const first = await codex.agent.prompt({ sessionId, input: { blocks: [{ type: 'text', text: 'One' }] } })
  // Only promises lie between the prompt and its start: a timer might come after the answer.
  const sent = () => codex.agent.sessions.get(sessionId)?.start?.sent
  for (let turns = 0; turns < 1_000 && sent() === null; turns++) await Promise.resolve()
  expect(sent()).toMatchObject({ threadId: sessionId })
  await codex.agent.cancel({ sessionId })
  const { runId, outcome } = await codex.run(sessionId, 'Two')
  expect(outcome).toEqual({ status: 'completed' })
  expect(endedOnce(codex.events, [first.runId, runId ?? ''])).toBe(true)
  expect(eventsOf(codex.events, 'run_started')).toEqual([])
  // The server refuses to interrupt a turn that it has answered for and not yet begun; the turn must have been stopped all the same.
  expect(codex.replay.requests.map((request) => request.outcome).filter((told) => told === 'pending')).toEqual([])
})

test('a background command outlives its turn, and tells its output to the run that started it', async () => {
  await using codex = await realCodex({
    script: {
      turns: [
        {
          toolCalls: [
            {
              name: 'exec_command',
              arguments: { cmd: 'echo early; while [ ! -e go ]; do sleep 0.05; done; echo late', yield_time_ms: 300 },
            },
          ],
        },
        { text: 'It runs on.' },
        { text: 'Another turn.' },
      ],
    },
  })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace, options })
  const first = await codex.run(sessionId, 'Start it')
  const second = await codex.run(sessionId, 'Something else')
  await codex.world.write('workspace/go', '')
  const late = await codex.seen('tool_call_updated', ({ outputDelta }) => outputDelta?.includes('late') === true)
  const done = await codex.seen('tool_call_updated', ({ status }) => status === 'completed')
  expect([late.runId, done.runId]).toEqual([first.runId, first.runId])
  expect(second.runId).not.toBe(first.runId)
  expect(shownTexts(codex.events)).toEqual(['It runs on.', 'Another turn.'])
})

test('a stop while a background command runs from an earlier turn ends it too', async () => {
  await using codex = await realCodex({
    script: {
      turns: [
        { toolCalls: [{ name: 'exec_command', arguments: { cmd: 'sleep 4712', yield_time_ms: 300 } }] },
        { text: 'It runs on.' },
      ],
    },
  })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace, options })
  await codex.run(sessionId, 'Start it')
  expect(sleeping('4712')).not.toEqual([])
  await codex.agent.cancel({ sessionId })
  await waitFor('the command to be gone', () => sleeping('4712').length === 0)
})

function sleeping(seconds: string) {
  return processesWith(seconds).filter(({ command }) => command.endsWith(`sleep ${seconds}`))
}
