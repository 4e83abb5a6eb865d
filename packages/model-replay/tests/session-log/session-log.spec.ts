/** What of a stored session becomes a script, and what is told instead. */
import { zstdCompressSync } from 'node:zlib'
import { writeFile } from 'node:fs/promises'
import { scriptFromSessions, SessionLogError, startReplayServer } from '@loader-smoke/model-replay'
import { tempWorkspace } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { readSessionLog } from '../../src/session-log/session-log.ts'
import { toScript } from '../../src/session-log/to-script.ts'

const line = (type: string, data: object) => JSON.stringify({ type, seq: 0, time: 0, data })
const head = (more: object = {}) => JSON.stringify({ type: 'session', version: 0, id: 'main', createdAt: 1, ...more })
const user = (text: string, kind = 'user') =>
  line('user/message', { role: 'user', content: [{ type: 'text', text }], source: { kind } })
const start = (step: number) => line('step/start', { turn: 1, step })
const answer = (step: number, content: object[], usage: object = {}) =>
  line('assistant/message', { turn: 1, step, message: { role: 'assistant', content }, usage })
const finish = (kind: string) =>
  line('assistant/chunk', { turn: 1, step: 1, chunk: { type: 'finish', reason: { kind } } })
const call = (callId: string, name: string) => line('tool/call', { turn: 1, step: 1, callId, name, arguments: '{}' })
const result = (toolCallId: string, text: string) =>
  line('tool/result', {
    turn: 1,
    step: 1,
    message: { role: 'user', content: [{ type: 'tool-result', toolCallId, content: [{ type: 'text', text }] }] },
  })
const end = (kind: string) => line('turn/end', { turn: 1, reason: { kind } })

const script = (...lines: string[]) => toScript([readSessionLog(lines.join('\n'), 'session.jsonl')])
const only = (...lines: string[]) => script(...lines).script.conversations?.[0]

describe('a session as a script', () => {
  it('has each answer with its blocks in order, its tokens as the wire counts them, and its end', () => {
    const blocks = [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Let me see.' },
      { type: 'tool-call', id: 'c1', name: 'bash', arguments: '{"command":"ls"}' },
    ]
    const usage = { inputTokens: 5, cacheReadTokens: 7, cacheWriteTokens: 1, outputTokens: 4, reasoningTokens: 2 }
    expect(
      script(
        head(),
        user('List the files.'),
        start(1),
        finish('tool-calls'),
        answer(1, blocks, usage),
        call('c1', 'bash'),
        result('c1', 'a.txt'),
        start(2),
        finish('stop'),
        answer(2, [{ type: 'text', text: 'One file.' }]),
        end('completed'),
      ),
    ).toEqual({
      notes: [],
      script: {
        version: 1,
        conversations: [
          {
            name: 'main',
            match: { firstUser: { equals: 'List the files.' } },
            turns: [
              {
                name: 'turn 1, step 1',
                expect: { user: { equals: 'List the files.' } },
                content: [
                  { reasoning: 'Hm.' },
                  { text: 'Let me see.' },
                  { toolCall: { name: 'bash', arguments: { command: 'ls' } } },
                ],
                usage: { inputTokens: 13, outputTokens: 4, cachedInputTokens: 7, reasoningTokens: 2 },
                finish: 'tool_calls',
              },
              {
                name: 'turn 1, step 2',
                expect: { last: 'tool' },
                content: [{ text: 'One file.' }],
                usage: { inputTokens: 0, outputTokens: 0 },
                finish: 'stop',
              },
            ],
          },
        ],
      },
    })
  })

  it('tests the message of the user only where the request ends with it: the app may put a note behind', () => {
    const turns = only(head(), user('Do it.'), user('The folder is /x.', 'runtime'), start(1), answer(1, []))?.turns
    expect(turns?.[0]).not.toHaveProperty('expect')
  })

  it('keeps braces that the model wrote, and arguments that are no JSON', () => {
    const blocks = [
      { type: 'text', text: 'Write {{name}}.' },
      { type: 'tool-call', name: 'write', arguments: '{"text":"{{name}}","more":["{{a}}"]}' },
      { type: 'tool-call', name: 'write', arguments: '{"text": {{' },
    ]
    expect(only(head(), user('Go.'), start(1), answer(1, blocks))?.turns[0]?.content).toEqual([
      { text: String.raw`Write \{{name}}.` },
      { toolCall: { name: 'write', arguments: { text: String.raw`\{{name}}`, more: [String.raw`\{{a}}`] } } },
      { toolCall: { name: 'write', arguments: String.raw`{"text": \{{` } },
    ])
  })

  it('puts the sessions of sub-agents in the order in which they began, and leaves out history that a fork was given', () => {
    const child = [
      head({ id: 'child', parentSession: 'main', createdAt: 2 }),
      user('Look.'),
      answer(9, [{ type: 'text', text: 'Of the parent.' }]),
      start(1),
      answer(1, [{ type: 'text', text: 'Of the child.' }]),
    ]
    const parent = [head(), user('Ask.'), start(1), answer(1, [{ type: 'text', text: 'Asked.' }])]
    const { conversations } = toScript([child, parent].map((lines) => readSessionLog(lines.join('\n'), 's'))).script
    expect(conversations?.map(({ name, turns }) => [name, turns.map(({ content }) => content)])).toEqual([
      ['main', [[{ text: 'Asked.' }]]],
      ['child of main', [[{ text: 'Of the child.' }]]],
    ])
  })

  it('tells what it can’t say', () => {
    const image = { type: 'image', data: '' }
    expect(script(head(), user('Go.'), start(1), finish('pause'), answer(1, [image]), end('error')).notes).toEqual([
      'session main: turn 1 ended "error": an answer that failed is not in the log.',
      'session main: turn 1, step 1 ended "pause", which no script can say, so it ends as its content does.',
      'session main: turn 1, step 1 has a block of type "image", which is left out.',
    ])
    expect(script(head(), user('Go.')).notes).toEqual(['session main: its model answered nothing, so it is left out.'])
    expect(script(head(), user('Go.'), start(1), answer(1, []), '{"type":"step/e').notes).toEqual([
      'session main: line 5 breaks off and is left out.',
    ])
  })

  it.each([
    ['{"type":"other"}', 1, 'is no session log: its first line must be {"type":"session","id":…}'],
    [`${head()}\nnot json\n${start(1)}`, 2, /is no JSON: /],
  ])('refuses %j', (text, at, what) => {
    expect(() => readSessionLog(text, 'session.jsonl')).toThrow(
      expect.objectContaining({
        name: 'SessionLogError',
        line: at,
        message: expect.stringMatching(typeof what === 'string' ? what.replaceAll(/[{}]/g, String.raw`\$&`) : what),
      }),
    )
  })
})

describe('logs on disk', () => {
  const log = [
    head(),
    user('Say hello.'),
    start(1),
    finish('stop'),
    answer(1, [{ type: 'text', text: 'Hello.' }]),
  ].join('\n')

  it('are found below a folder, compressed or not, and played', async () => {
    await using folder = await tempWorkspace({ 'a/main/session.jsonl': `${log}\n`, 'a/main/other.jsonl': 'no log' })
    await folder.write('a/child/session.jsonl.zstd', '')
    // Each append of the app is a frame of its own.
    const frames = log
      .replace('"main"', '"child"')
      .split(/(?<=\n)/)
      .map((part) => zstdCompressSync(part))
    await writeFile(folder.file('a/child/session.jsonl.zstd'), Buffer.concat(frames))
    const { script } = await scriptFromSessions([folder.path])
    expect(script.conversations?.map(({ name }) => name)).toEqual(['child', 'main'])

    await using server = await startReplayServer({ script })
    const ask = async (content: string, session: string) => {
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] })
      const headers = { 'content-type': 'application/json', 'x-deepseek-harness-session-id': session }
      const response = await fetch(`${server.url}/chat/completions`, { method: 'POST', headers, body })
      return ((await response.json()) as { choices?: { message: { content: string } }[] }).choices?.[0]?.message.content
    }
    const answers = [await ask('Say hello.', 'a'), await ask('Say hello.', 'b'), await ask('Say hello.', 'c')]
    expect(answers).toEqual(['Hello.', 'Hello.', undefined])
  })

  it('lose secrets on the way', async () => {
    await using folder = await tempWorkspace({ 'session.jsonl': log.replace('Hello.', 'sk-0123456789abcdef') })
    expect(JSON.stringify(await scriptFromSessions([folder.path]))).not.toContain('0123456789')
  })

  it('that are not there are told', async () => {
    await using folder = await tempWorkspace({ 'session.jsonl.zstd': 'no zstd' })
    await expect(scriptFromSessions([folder.file('none')])).rejects.toThrow(
      `model-replay: ${folder.file('none')} is not there.\nNext: give a session.jsonl that DeepSeek Harness stored, or the folder of one.`,
    )
    await expect(scriptFromSessions([folder.file('session.jsonl.zstd')])).rejects.toThrow(SessionLogError)
    await folder.write('empty/x', '')
    await expect(scriptFromSessions([folder.file('empty')])).rejects.toThrow('has no session.jsonl in it')
  })

  it('are printed as a script by from-sessions, with what is not in it on the other stream', async () => {
    await using folder = await tempWorkspace({ 'session.jsonl': `${log}\n${end('aborted')}` })
    const out: string[] = []
    const err: string[] = []
    const output = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text) }
    expect(await main(['from-sessions', folder.path], output)).toBe(0)
    const file = await folder.write('model.yml', `${out.join('\n')}\n`)
    expect(await main(['validate', file], output)).toBe(0)
    expect(err).toEqual([
      'model-replay: session main: turn 1 ended "aborted": an answer that failed is not in the log.',
    ])
    expect(await main(['from-sessions'], output)).toBe(2)
    expect(await main(['from-sessions', folder.file('none')], output)).toBe(1)
  })
})
