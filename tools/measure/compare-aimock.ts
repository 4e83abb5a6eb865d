/**
 * `node tools/measure/compare-aimock.ts`: what `@loader-smoke/model-replay` and `@copilotkit/aimock` do with the same conversations, as the
 * rows of a Markdown table. Times and memory are rows of `npm run bench -- model-replay`.
 */
import { fileURLToPath } from 'node:url'
import { LLMock } from '@copilotkit/aimock'
import { type ScriptObject, startRecordedServer, startReplayServer } from '@loader-smoke/model-replay'
import { tempWorkspace } from '@loader-smoke/testkit'
import { CONVERSATIONS } from '../../packages/model-replay/tests/clients/all.ts'

const script = fileURLToPath(new URL('../../packages/model-replay/tests/fixtures/two-steps.yml', import.meta.url))
const [CONVERSATION_COUNT, TURNS] = [100, 20]

/** A server that is closed at the end. */
interface Running extends AsyncDisposable {
  readonly url: string
}

type Start = () => Promise<Running>

async function aimock(prepare: (mock: LLMock) => unknown, options = {}): Promise<Running> {
  const mock = new LLMock({ port: 0, ...options })
  prepare(mock)
  const url = await mock.start()
  return { url, [Symbol.asyncDispose]: () => mock.stop() }
}

const usage = (input: number, cached: number, output: number, reasoning: number) => ({
  prompt_tokens: input,
  completion_tokens: output,
  input_tokens: input,
  output_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: reasoning },
})

/** The two steps of the script. aimock can't choose by what the client offers, so it is told which tool this client has. */
function twoSteps(mock: LLMock, codex: boolean): void {
  const call = codex
    ? { name: 'exec_command', arguments: '{"cmd":"echo hi"}' }
    : { name: 'bash', arguments: '{"command":"echo hi"}' }
  const first = { content: 'Looking.', reasoning: 'I should look.', toolCalls: [call], usage: usage(100, 40, 20, 5) }
  mock.on({ hasToolResult: false }, first)
  mock.on({ hasToolResult: true }, { content: 'The tool said hi.', usage: usage(130, 100, 7, 0) })
}

const WANTED = {
  texts: ['Looking.', 'The tool said hi.'],
  reasoning: 'I should look.',
  commands: ['echo hi'],
  usage: { input: 230, cached: 140, output: 27, reasoning: 5 },
}

/** How many clients held the conversation, and how many of its four token counts came out right in all. */
async function drive(start: (codex: boolean) => Promise<Running>): Promise<{ driven: number; counts: number }> {
  let [driven, counts] = [0, 0]
  for (const [name, converse] of CONVERSATIONS) {
    await using server = await start(name.includes('Codex'))
    const held = await converse(server.url, 'greet').catch(() => undefined)
    const same = (key: 'texts' | 'reasoning' | 'commands') =>
      JSON.stringify(held?.[key]) === JSON.stringify(WANTED[key])
    if (same('texts') && same('reasoning') && same('commands')) driven++
    for (const key of ['input', 'cached', 'output', 'reasoning'] as const)
      if (held?.usage[key] === WANTED.usage[key]) counts++
  }
  return { driven, counts }
}

const QUESTIONS = ['/v1/chat/completions', '/v1/responses', '/v1/messages'].flatMap((path) =>
  [true, false].map((stream) => ({ path, stream })),
)

/** The bodies of six answers: three APIs, streamed and not. */
async function askSix(url: string): Promise<string[]> {
  const bodies: string[] = []
  for (const { path, stream } of QUESTIONS) {
    const said = [{ role: 'user', content: `greet ${path} ${stream}` }]
    const body = {
      model: 'm',
      stream,
      max_tokens: 99,
      ...(path.endsWith('responses') ? { input: said } : { messages: said }),
    }
    const headers = { 'content-type': 'application/json', 'x-api-key': 'none', 'anthropic-version': '2023-06-01' }
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    bodies.push(await response.text())
  }
  return bodies
}

const provided: ScriptObject = {
  for: 'each',
  turns: [
    { reasoning: 'Hm.', text: ['All ', 'of it.'], usage: { inputTokens: 9, cachedInputTokens: 4, outputTokens: 3 } },
  ],
}

/** How many of the six recorded answers are replayed byte for byte. */
async function recordAndReplay(record: (upstream: string) => Promise<Running>, replay: Start): Promise<number> {
  await using provider = await startReplayServer({ script: provided })
  const recorded = await during(await record(provider.url), askSix)
  const replayed = await during(await replay(), askSix)
  return recorded.filter((body, index) => body === replayed[index]).length
}

async function during<T>(server: Running, use: (url: string) => Promise<T>): Promise<T> {
  await using running = server
  return await use(running.url)
}

/** How many of 100 × 20 answers were not the ones of their turn, with all conversations at once. */
async function countCrossings(start: Start): Promise<number> {
  await using server = await start()
  let wrong = 0
  await Promise.all(
    Array.from({ length: CONVERSATION_COUNT }, async (_, conversation) => {
      const messages: object[] = [{ role: 'user', content: `conversation ${conversation}` }]
      for (let turn = 0; turn < TURNS; turn++) {
        const body = JSON.stringify({ model: 'm', messages })
        const response = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body })
        const answer = (await response.json()) as { choices?: [{ message: { content: string } }] }
        const content = answer.choices?.[0].message.content
        if (content !== `turn ${turn}`) wrong++
        messages.push({ role: 'assistant', content: `turn ${turn}` }, { role: 'user', content: `go on after ${turn}` })
      }
    }),
  )
  return wrong
}

const turns = Array.from({ length: TURNS }, (_, turn) => `turn ${turn}`)
const withSequence = (mock: LLMock) =>
  turns.forEach((content, sequenceIndex) => mock.on({ userMessage: /^/, sequenceIndex }, { content }))
const withTurns = (mock: LLMock) => turns.forEach((content, turnIndex) => mock.on({ turnIndex }, { content }))

const [mine, theirs] = [
  await drive(() => startReplayServer({ script })),
  await drive((codex) => aimock((mock) => twoSteps(mock, codex))),
]
const total = CONVERSATIONS.length
await using folder = await tempWorkspace()
const recording = folder.file('recording.json')
const ourBytes = await recordAndReplay(
  (upstream) => startRecordedServer({ recording, mode: 'record', upstream }),
  () => startRecordedServer({ recording, mode: 'replay' }),
)
const fixturePath = folder.file('aimock')
const theirBytes = await recordAndReplay(
  (upstream) =>
    aimock((mock) => mock.enableRecording({ providers: { openai: upstream, anthropic: upstream }, fixturePath })),
  () => aimock((mock) => mock.loadFixtureDir(fixturePath)),
)
const script20: ScriptObject = { for: 'each', turns: turns.map((text) => ({ text })) }
const ourCrossings = await countCrossings(() => startReplayServer({ script: script20 }))
const bySequence = await countCrossings(() => aimock(withSequence))
const byTurn = await countCrossings(() => aimock(withTurns))

console.log(`| ways of driving a real client through the two-step tool conversation, texts, reasoning and commands right | ${mine.driven} of ${total} | ${theirs.driven} of ${total} |
| token counts right (input, cached, output, reasoning) | ${mine.counts} of ${total * 4} | ${theirs.counts} of ${total * 4} |
| recorded answers replayed byte for byte | ${ourBytes} of 6 | ${theirBytes} of 6 |
| wrong answers in ${CONVERSATION_COUNT} × ${TURNS} concurrent turns | ${ourCrossings} | ${bySequence} with sequenceIndex, ${byTurn} with turnIndex |`)
