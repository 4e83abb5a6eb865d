/** The real app-server ends while it is needed. */
import { waitFor } from '@loader-smoke/testkit'
import { expect, test } from 'vitest'
import { nativeServers, realCodex } from '../support/real-codex.ts'
import { endedOnce, eventsOf, shownTexts } from '../support/shown.ts'

const text = (value: string) => ({ blocks: [{ type: 'text', text: value } as const] })

test.for(['SIGKILL', 'SIGTERM'] as const)(
  '%s during a turn fails the run at once, and the next prompt resumes the thread on a new server',
  async (signal) => {
    await using codex = await realCodex({
      script: {
        turns: [
          { text: 'First.' },
          { content: [{ text: 'Second, never' }, { hold: 'mid' }] },
          { expect: { user: 'Third' }, text: 'Third.' },
        ],
      },
    })
    const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
    await codex.run(sessionId, 'First')
    const { runId } = await codex.agent.prompt({ sessionId, input: text('Second') })
    await codex.seen('text_delta', (event) => event.text === 'Second, never')
    const [server] = nativeServers(codex.home)
    const killedAt = performance.now()
    process.kill(server?.pid ?? 0, signal)
    const failed = await codex.seen('run_finished', (event) => event.runId === runId)
    expect(failed.outcome).toEqual({ status: 'failed', message: 'the codex app-server exited' })
    expect(performance.now() - killedAt).toBeLessThan(5_000)
    const third = await codex.run(sessionId, 'Third')
    expect(third.outcome).toEqual({ status: 'completed' })
    expect(nativeServers(codex.home).map(({ pid }) => pid)).not.toContain(server?.pid)
    expect(shownTexts(codex.events).at(-1)).toBe('Third.')
    expect(endedOnce(codex.events, [runId, third.runId ?? ''])).toBe(true)
    // What the thread said before is still in what the model is sent.
    expect(JSON.stringify(codex.replay.requests.at(-1))).toContain('First.')
  },
)

test('a session without a message, which no server stores, goes on in a new thread', async () => {
  await using codex = await realCodex({ script: { turns: [{ text: 'Here I am.' }, { text: 'Still here.' }] } })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace, instructions: 'Be kind.' })
  await killServer(codex)
  const { outcome, sessionId: told } = await codex.run(sessionId, 'Are you there?')
  expect([outcome, told]).toEqual([{ status: 'completed' }, sessionId])
  expect(codex.agent.sessions.get(sessionId)?.threadId).not.toBeNull()
  expect((await codex.run(sessionId, 'And now?')).outcome).toEqual({ status: 'completed' })
  expect(JSON.stringify(codex.replay.requests[0])).toContain('Be kind.')
  // Its history is that of the thread which stands in.
  const { items } = await codex.agent.readSession({ sessionId, workspace: codex.workspace })
  expect(items.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
})

test('a closed session is refused until it is resumed', async () => {
  await using codex = await realCodex({ script: { turns: [{ text: 'One.' }, { text: 'Two.' }] } })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
  await codex.run(sessionId, 'One')
  await codex.agent.closeSession({ sessionId })
  await expect(codex.agent.prompt({ sessionId, input: text('Two') })).rejects.toThrow(
    `codex has no open session ${sessionId}: create it, or resume it when it was closed`,
  )
  await codex.agent.resumeSession({ sessionId, workspace: codex.workspace })
  expect((await codex.run(sessionId, 'Two')).outcome).toEqual({ status: 'completed' })
})

test('closing a session stops its run', async () => {
  await using codex = await realCodex({ script: { turns: [{ content: [{ text: 'On' }, { hold: 'mid' }] }] } })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
  await codex.agent.prompt({ sessionId, input: text('Go') })
  await codex.seen('text_delta')
  await codex.agent.closeSession({ sessionId })
  expect(codex.events.at(-1)).toMatchObject({ event: 'run_finished', outcome: { status: 'cancelled' } })
  await waitFor('the model request to be dropped', () => codex.replay.requests[0]?.outcome !== 'pending')
  expect(eventsOf(codex.events, 'run_finished')).toHaveLength(1)
})

test('disposing leaves no process', async () => {
  const codex = await realCodex({ script: { turns: [{ text: 'One.' }] } })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
  await codex.run(sessionId, 'One')
  expect(nativeServers(codex.home)).toHaveLength(1)
  await codex.agent.dispose()
  expect(nativeServers(codex.home)).toEqual([])
  await codex[Symbol.asyncDispose]()
})

async function killServer(codex: { readonly home: string; readonly agent: { readonly proc: unknown } }) {
  process.kill(nativeServers(codex.home)[0]?.pid ?? 0, 'SIGKILL')
  await waitFor('the agent to notice', () => codex.agent.proc === null)
}
