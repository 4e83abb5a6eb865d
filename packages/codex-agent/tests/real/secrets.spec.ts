/** What must never be in a message: the environment's secrets, the prompt, the model's words. */
import type { Event } from '@loader-smoke/agent-sdk'
import { afterEach, expect, test, vi } from 'vitest'
import { nativeServers, realCodex } from '../support/real-codex.ts'
import { eventsOf } from '../support/shown.ts'

const secret = 'sk-env-secret-0123456789'
const prompt = 'the-prompt-nobody-else-may-read'
const answer = 'the-answer-nobody-else-may-read'
const logged: string[] = []

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  logged.length = 0
})

/** Everything that a person or a log is told, beside the conversation itself. */
function toldBesides(events: readonly Event[], errors: readonly unknown[]): string {
  const notices = eventsOf(events, 'notice').map(({ message }) => message)
  const ends = eventsOf(events, 'run_finished').map(({ outcome }) => JSON.stringify(outcome))
  return [...notices, ...ends, ...errors.map((error) => `${String(error)} ${JSON.stringify(error)}`), ...logged].join(
    '\n',
  )
}

test.for([
  'the stream is cut',
  'the server fails',
  'the quota is used up',
  'the app-server is killed',
  'the steer is refused',
])('nothing private is told when %s', async (what) => {
  vi.stubEnv('SOME_TOKEN', secret)
  vi.stubEnv('OPENAI_API_KEY', secret)
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      logged.push(String(chunk))
      return true
    })
  const turn =
    what === 'the stream is cut'
      ? { text: [answer, answer], fault: 'cut' as const }
      : what === 'the server fails'
        ? { error: { status: 500 } }
        : what === 'the quota is used up'
          ? { fault: 'quota' as const }
          : { content: [{ text: answer }, { hold: 'never' }] }
  const codex = await realCodex({ script: { turns: [{ ...turn, times: 'any' as const }] }, streamRetries: 1 })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
  const input = { blocks: [{ type: 'text' as const, text: prompt }] }
  const errors: unknown[] = []
  await codex.agent.prompt({ sessionId, input })
  if (what === 'the app-server is killed') {
    await codex.seen('text_delta')
    process.kill(nativeServers(codex.home)[0]?.pid ?? 0, 'SIGKILL')
  }
  if (what === 'the steer is refused') {
    await codex.seen('text_delta')
    const state = codex.agent.sessions.get(sessionId)
    if (state) state.turn = 'not-this-one'
    errors.push(await codex.agent.prompt({ sessionId, input }).catch((error: unknown) => error))
    await codex.agent.cancel({ sessionId })
  }
  await codex.seen('run_finished')
  await codex[Symbol.asyncDispose]()
  expect(String(errors[0] ?? '')).toMatch(what === 'the steer is refused' ? /turn\/steer failed/ : /^$/)
  const told = toldBesides(codex.events, errors)
  expect([secret, prompt, answer].filter((text) => told.includes(text))).toEqual([])
  expect(told).not.toBe('')
})
