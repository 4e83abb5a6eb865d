/** 10,000 hostile requests and 10,000 hostile scripts: an answer or a clear refusal each, and the server lives on. */
import { mkdir, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tempWorkspace } from '@loader-smoke/testkit'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { loadScript, ScriptError, type ScriptObject, startReplayServer } from '@loader-smoke/model-replay'

const RUNS = 10_000
/** Cases that are in flight at once. */
const BATCH = 50

const TOOL_CALL = { type: 'function_call', call_id: 'c', name: 'bash', arguments: '{}' }
const VALID: Readonly<Record<string, object>> = {
  '/v1/chat/completions': {
    model: 'm',
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: 'system', content: 'be kind' },
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'bash', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'ok' },
    ],
    tools: [{ type: 'function', function: { name: 'bash' } }],
  },
  '/v1/responses': {
    model: 'm',
    stream: true,
    instructions: 'be kind',
    input: [{ role: 'user', content: 'hi' }, TOOL_CALL, { type: 'function_call_output', call_id: 'c', output: 'ok' }],
    tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'bash' }] }],
  },
  '/v1/messages': {
    model: 'm',
    max_tokens: 9,
    system: [{ type: 'text', text: 'be kind' }],
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'bash', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'ok' }] }] },
    ],
    tools: [{ name: 'bash', input_schema: {} }],
  },
}

/** `value` with the part that `at` picks replaced or, without a replacement, taken away. */
function mutate(value: unknown, at: readonly number[], replacement: unknown): unknown {
  const [step, ...rest] = at
  if (step === undefined || typeof value !== 'object' || value === null) return replacement
  const keys = Object.keys(value)
  const key = keys[step % Math.max(1, keys.length)]
  if (key === undefined) return replacement
  const copy: any = Array.isArray(value) ? [...value] : { ...value }
  const next = mutate(copy[key], rest, replacement)
  if (next === undefined) delete copy[key]
  else copy[key] = next
  return copy
}

const place = fc.array(fc.nat(12), { minLength: 1, maxLength: 6 })
const hostile = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    'other',
    true,
    7,
    undefined,
    '',
    '\ud800',
    '__proto__',
    -1,
    1e308,
    [],
    {},
    { __proto__: null, type: 'text' },
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const deep = fc.integer({ min: 1, max: 60_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth))
const path = fc.constantFrom(...Object.keys(VALID))
const mutated = fc
  .tuple(path, fc.array(fc.tuple(place, hostile), { minLength: 1, maxLength: 2 }))
  .map(([at, changes]) => ({
    path: at,
    body: JSON.stringify(changes.reduce<unknown>((body, [where, what]) => mutate(body, where, what), VALID[at])) ?? '',
  }))
const headerNames = fc.constantFrom(
  'thread-id',
  'x-codex-turn-metadata',
  'content-encoding',
  'origin',
  'content-type',
  'x-openai-subagent',
)
const headerValues = fc.oneof(
  fc.json().map(encodeURI),
  fc.constantFrom('', 'gzip', 'null', '{"agent_name":1}', 'http://[', '%'),
)
const requests = fc.record({
  method: fc.oneof(
    { weight: 9, arbitrary: fc.constant('POST') },
    { weight: 1, arbitrary: fc.constantFrom('GET', 'PUT', 'DELETE', 'PATCH') },
  ),
  sent: fc.oneof(
    { weight: 8, arbitrary: mutated },
    { weight: 1, arbitrary: fc.record({ path, body: fc.oneof(fc.string({ unit: 'binary' }), fc.json(), deep) }) },
    {
      weight: 1,
      arbitrary: fc.record({ path: fc.webPath().map((one) => `/${one}`), body: fc.string() }),
    },
  ),
  bytes: fc.oneof(
    { weight: 19, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 20 }) },
  ),
  headers: fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.dictionary(headerNames, headerValues, { maxKeys: 2 }) },
  ),
})

test('answers each of 10,000 hostile requests, or refuses it with a reason', { timeout: 240_000 }, async () => {
  const script: ScriptObject = { for: 'all', turns: [{ text: 'ok {{firstUser}} {{model}}', times: 'any' }] }
  await using server = await startReplayServer({ script })
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(fc.array(requests, { minLength: BATCH, maxLength: BATCH }), async (batch) => {
      const answers = await Promise.all(batch.map((one) => send(server.port, one)))
      for (const { status, text } of answers) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        expect([200, 400, 403, 404, 415]).toContain(status)
        expect(status === 200 || reasonIn(text)).toBe(true)
      }
    }),
    { numRuns: RUNS / BATCH },
  )
  // Both sides of the fence were met, so the cases mean something.
  expect(statuses.get(200)).toBeGreaterThan(RUNS / 20)
  expect(statuses.get(400)).toBeGreaterThan(RUNS / 20)
  expect(server.requests.every(({ outcome }) => outcome === 'answered' || outcome === 'refused')).toBe(true)
})

function reasonIn(text: string): boolean {
  return /^model-replay: ./.test((JSON.parse(text) as { error: { message: string } }).error.message)
}

interface Sent {
  readonly method: string
  readonly sent: { readonly path: string; readonly body: string }
  readonly bytes: Uint8Array | null
  readonly headers: Readonly<Record<string, string>>
}

function send(port: number, { method, sent, bytes, headers }: Sent): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const body = Buffer.from(bytes ?? sent.body)
    const all = { ...headers, 'content-length': body.length }
    const target = { host: '127.0.0.1', port, method, path: sent.path, headers: all, timeout: 60_000 }
    const request = httpRequest(target, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    request.on('error', reject)
    request.on('timeout', () => reject(new Error(`no answer to ${method} ${sent.path} ${sent.body}`)))
    request.end(body)
  })
}

const FULL: ScriptObject = {
  models: ['m'],
  threadHeader: 'x-thread',
  conversations: [
    {
      name: 'root',
      match: { firstUser: 'hi', subagent: false },
      for: 'each',
      order: 'any',
      turns: [
        { text: ['a', 'b'], reasoning: 'r', toolCalls: [{ name: 'bash', arguments: { command: 'ls' } }] },
        { expect: { toolResult: { tool: 'bash', text: { matches: 'a+' } } }, content: [{ text: 'x' }, { hold: 'g' }] },
        { error: { status: 429, retryAfter: 1 }, times: 2 },
        { text: 'cut {{toolResult.a}}', fault: { kind: 'cut', afterBytes: 3 }, usage: { inputTokens: 3 } },
      ],
    },
  ],
  faults: { seed: 1, rate: 0.5, kinds: ['reset', 429] },
}

const scriptFiles = fc
  .tuple(
    fc.array(fc.tuple(fc.array(fc.nat(12), { maxLength: 9 }), hostile), { maxLength: 3 }),
    fc.constantFrom('json', 'yml'),
    fc.option(fc.tuple(fc.nat(2_000), fc.nat(10), fc.string({ maxLength: 10 })), { freq: 2 }),
  )
  .map(([changes, extension, cut]) => {
    const data = changes.reduce<unknown>((script, [where, what]) => mutate(script, where, what), FULL)
    const text = (extension === 'json' ? JSON.stringify(data) : stringify(data, { aliasDuplicateObjects: false })) ?? ''
    return { extension, text: cut === null ? text : text.slice(0, cut[0]) + cut[2] + text.slice(cut[0] + cut[1]) }
  })

test('loads each of 10,000 hostile script files, or says what is wrong with it', { timeout: 240_000 }, async () => {
  await using folder = await tempWorkspace()
  await mkdir(folder.file('scripts'))
  let loaded = 0
  let number = 0
  await fc.assert(
    fc.asyncProperty(scriptFiles, async ({ extension, text }) => {
      const file = folder.file('scripts', `${number++ % 20}.${extension}`)
      await writeFile(file, text)
      const problems = await problemsOf(file)
      expect(problems.filter((problem) => /undefined|\[object|^$/.test(problem))).toEqual([])
      if (problems.length === 0) loaded++
    }),
    { numRuns: RUNS },
  )
  expect(loaded).toBeGreaterThan(RUNS / 50)
  expect(loaded).toBeLessThan(RUNS)
})

/** Rejects with everything that is no clear refusal. */
async function problemsOf(file: string): Promise<readonly string[]> {
  try {
    await loadScript(file)
    return []
  } catch (error) {
    if (error instanceof ScriptError && error.problems.length > 0) return error.problems
    throw error
  }
}

test('refuses a YAML file whose data holds itself', async () => {
  await using folder = await tempWorkspace({ 'model.yml': 'turns: &all\n  - text: x\n    headers: *all\n' })
  await expect(loadScript(folder.file('model.yml'))).rejects.toThrow(ScriptError)
})
