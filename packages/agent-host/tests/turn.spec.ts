import { createUserMessage, type ReasoningBlock, type TextBlock } from '@deepseek-ai/dsh-llm'
import { runFixtureTurn } from '@loader-smoke/turn'
import { waitFor } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { outline, realApp, rootOf, withoutChunks } from './real-app.ts'
import { completed, type RunScript, scriptedAgent, SESSION, text } from './scripted-agent.ts'

const user = (words: string) =>
  createUserMessage({ content: [{ type: 'text', text: words }], source: { kind: 'user' } })

/** A run that says `words` and is done. */
const answer =
  (words: string): RunScript =>
  ({ emit }) => {
    emit(text(words, words))
    emit(completed)
  }

describe('a turn', () => {
  it('is answered with the text and the tokens of the run', async () => {
    const scripted = scriptedAgent([
      ({ emit }) => {
        emit(text('m1', 'Hel'))
        emit(text('m1', 'lo.'))
        emit({ event: 'tokens', inputTokens: 100, cachedInputTokens: 60, outputTokens: 9, reasoningTokens: 4 })
        emit(completed)
      },
    ])
    await using app = await realApp({ agent: scripted.factory })
    expect(await runFixtureTurn(app.ctx, { task: 'Say hello' })).toEqual({
      type: 'result',
      sessionId: rootOf(app).id,
      output: 'Hello.',
      usage: { inputTokens: 40, outputTokens: 9, cacheReadTokens: 60, reasoningTokens: 4 },
    })
    expect(scripted.prompts).toEqual([{ blocks: [{ type: 'text', text: 'Say hello' }] }])
    expect(outline(app.events)).toEqual([
      'agent/inbox/spliced',
      'turn/start',
      'agent/inbox/spliced',
      'step/start',
      'user/message',
      'assistant/chunk block-start',
      'assistant/chunk text-delta',
      'assistant/chunk text-delta',
      'assistant/chunk usage',
      'assistant/chunk block-end',
      'assistant/message Hello.',
      'step/end',
      'turn/end completed',
    ])
  })

  it('logs each tool when it starts and its result when it is over, a step for each round', async () => {
    const scripted = scriptedAgent([
      ({ emit }) => {
        emit(text('m1', 'I look.'))
        emit({ event: 'tool_call_started', id: 't1', kind: 'execute', title: 'ls', status: 'running' })
        emit({ event: 'tool_call_updated', id: 't1', outputDelta: 'a.txt\n' })
        emit({
          event: 'tool_call_updated',
          id: 't1',
          status: 'completed',
          content: [{ type: 'terminal', command: 'ls', cwd: '/w', output: 'a.txt\n', exitCode: 0 }],
        })
        emit({
          event: 'tool_call_started',
          id: 't2',
          kind: 'edit',
          name: 'apply_patch',
          status: 'completed',
          locations: [{ path: '/w/a.txt' }],
          content: [{ type: 'diff', path: '/w/a.txt', diff: '+x' }],
        })
        emit(text('m2', 'Done.'))
        emit(completed)
      },
    ])
    await using app = await realApp({ agent: scripted.factory })
    const { output } = await runFixtureTurn(app.ctx, { task: 'Edit it' })
    expect(output).toBe('Done.')
    expect(withoutChunks(app.events)).toEqual([
      'agent/inbox/spliced',
      'turn/start',
      'agent/inbox/spliced',
      'step/start',
      'user/message',
      'assistant/message I look.+tool-call',
      'tool/call execute',
      'tool/result ok',
      'step/end',
      'step/start',
      'assistant/message tool-call',
      'tool/call apply_patch',
      'tool/result ok',
      'step/end',
      'step/start',
      'assistant/message Done.',
      'step/end',
      'turn/end completed',
    ])
    const results = app.events.filter(({ type }) => type === 'tool/result').map(({ data }) => data)
    expect(results).toMatchObject([
      {
        message: { content: [{ toolCallId: 't1', content: [{ text: 'a.txt\n' }], isError: false }] },
        meta: { kind: 'execute', status: 'completed', title: 'ls', exitCode: 0 },
      },
      { message: { content: [{ content: [{ text: '/w/a.txt\n+x' }] }] }, meta: { paths: ['/w/a.txt'] } },
    ])
    const calls = app.events.filter(({ type }) => type === 'tool/call').map(({ data }) => data)
    expect(calls).toMatchObject([{ arguments: '{"title":"ls"}' }, { arguments: '{"paths":["/w/a.txt"]}' }])
  })

  it('keeps tools that run side by side in one step, each with its own result', async () => {
    const scripted = scriptedAgent([
      ({ emit }) => {
        emit({ event: 'tool_call_started', id: 'a', kind: 'execute', status: 'running' })
        emit({ event: 'tool_call_started', id: 'b', kind: 'execute', status: 'running' })
        emit({ event: 'tool_call_updated', id: 'b', status: 'failed' })
        emit({ event: 'tool_call_updated', id: 'a', status: 'completed' })
        emit(text('m', 'Both ended.'))
        emit(completed)
      },
    ])
    await using app = await realApp({ agent: scripted.factory })
    await runFixtureTurn(app.ctx, { task: 'Run both' })
    expect(withoutChunks(app.events).slice(5)).toEqual([
      'assistant/message tool-call',
      'tool/call execute',
      'assistant/message tool-call',
      'tool/call execute',
      'tool/result TOOL_FAILED',
      'tool/result ok',
      'step/end',
      'step/start',
      'assistant/message Both ended.',
      'step/end',
      'turn/end completed',
    ])
  })

  it('takes the last of several texts as the answer, and a replacement instead of what had streamed', async () => {
    const scripted = scriptedAgent([
      ({ emit }) => {
        emit({ event: 'reasoning_delta', itemId: 'r', text: 'Hm.', mode: 'append' })
        emit(text('m1', 'First.'))
        emit(text('m2', 'haha'))
        emit(text('m2', 'ha', 'replace'))
        emit(completed)
      },
    ])
    await using app = await realApp({ agent: scripted.factory })
    const { output } = await runFixtureTurn(app.ctx, { task: 'Laugh' })
    expect(output).toBe('ha')
    const blocks = rootOf(app)
      .session.deriveMessages()
      .slice(1)
      .flatMap(({ content }) => content.map((block) => (block as TextBlock | ReasoningBlock).text))
    expect(blocks).toEqual(['Hm.', 'First.', 'ha'])
  })

  it('puts a correction that comes late in the place of the answer that it corrects', async () => {
    const scripted = scriptedAgent([
      ({ emit }) => {
        emit(text('m1', 'onon'))
        emit({ event: 'tool_call_started', id: 't', kind: 'read', status: 'completed' })
        emit(text('m1', 'on', 'replace'))
        emit(completed)
      },
    ])
    await using app = await realApp({ agent: scripted.factory })
    const { output } = await runFixtureTurn(app.ctx, { task: 'Go' })
    expect(output).toBe('on')
    const texts = rootOf(app)
      .session.deriveMessages()
      .map(({ content }) => content.map(({ type }) => type))
    expect(texts).toEqual([['text'], ['text', 'tool-call'], ['tool-result']])
  })

  it('leaves out what subagents do', async () => {
    const scripted = scriptedAgent([
      ({ emit }) => {
        emit(text('m1', 'Mine.'))
        emit(text('c1', 'Of the child.'), { taskId: 'child' })
        emit({ event: 'tool_call_started', id: 't', kind: 'execute', status: 'completed' }, { taskId: 'child' })
        emit(completed)
      },
    ])
    await using app = await realApp({ agent: scripted.factory })
    expect((await runFixtureTurn(app.ctx, { task: 'Go' })).output).toBe('Mine.')
    expect(withoutChunks(app.events)).not.toContain('tool/call execute')
  })

  it('logs what a subagent is given as a call of the root agent, and its answer as the result', async () => {
    const task = { event: 'task', id: 'child', title: 'Scout', prompt: 'Look around', startedAt: '' } as const
    const scripted = scriptedAgent([
      ({ emit }) => {
        emit({ ...task, status: 'running' })
        emit({ ...task, id: 'grandchild', parentTaskId: 'child', status: 'running' })
        emit({ ...task, status: 'waiting', toolUses: 1 })
        emit({ ...task, status: 'idle', summary: 'Nothing here.' })
        emit({ ...task, status: 'completed', summary: 'Nothing here.' })
        emit(text('m', 'It is quiet.'))
        emit(completed)
      },
      ({ emit }) => {
        emit({ ...task, status: 'completed', summary: 'Told again.' })
        emit(completed)
      },
    ])
    await using app = await realApp({ agent: scripted.factory })
    expect((await runFixtureTurn(app.ctx, { task: 'Go' })).output).toBe('It is quiet.')
    await runFixtureTurn(app.ctx, { task: 'Go on' })
    const calls = app.events.flatMap(({ type, data }) => (type === 'tool/call' ? [[data.name, data.arguments]] : []))
    expect(calls).toEqual([['subagent', '{"title":"Scout","prompt":"Look around"}']])
    const results = app.events.flatMap(({ type, data }) =>
      type === 'tool/result' ? [data.message.content[0].content] : [],
    )
    expect(results).toEqual([[{ type: 'text', text: 'Nothing here.' }]])
  })

  it('logs the plan as the list of things to do', async () => {
    const scripted = scriptedAgent([
      ({ emit }) => {
        emit({ event: 'plan', entries: [{ content: 'one', status: 'in_progress' }] })
        emit(completed)
      },
    ])
    await using app = await realApp({ agent: scripted.factory })
    await runFixtureTurn(app.ctx, { task: 'Plan' })
    expect(app.events.find(({ type }) => type === 'todo/write')?.data).toEqual({
      todos: [{ content: 'one', status: 'in_progress' }],
    })
  })

  it('is one of its own for each message, in order', async () => {
    const scripted = scriptedAgent([answer('one'), answer('two')])
    await using app = await realApp({ agent: scripted.factory })
    expect((await runFixtureTurn(app.ctx, { task: 'first' })).output).toBe('one')
    expect((await runFixtureTurn(app.ctx, { task: 'second' })).output).toBe('two')
    expect(withoutChunks(app.events).filter((line) => line.startsWith('turn/'))).toEqual([
      'turn/start',
      'turn/end completed',
      'turn/start',
      'turn/end completed',
    ])
  })

  it('takes steering into the running turn', async () => {
    const scripted = scriptedAgent([
      async ({ emit }) => {
        await waitFor('the steering', () => scripted.prompts.length === 2)
        emit(text('m', 'Steered.'))
        emit(completed)
      },
    ])
    await using app = await realApp({ agent: scripted.factory })
    const root = rootOf(app)
    const turn = runFixtureTurn(app.ctx, { task: 'Go' })
    await waitFor('the run', () => scripted.prompts.length === 1)
    root.steer(user('Left!'))
    expect((await turn).output).toBe('Steered.')
    expect(scripted.prompts[1]).toMatchObject({ blocks: [{ text: 'Left!' }], delivery: { intent: 'steer' } })
    expect(withoutChunks(app.events).filter((line) => line === 'turn/start')).toHaveLength(1)
  })

  it('gives a message that was injected before to the agent together with the next task', async () => {
    const scripted = scriptedAgent([({ emit }) => emit(completed)])
    await using app = await realApp({ agent: scripted.factory })
    rootOf(app).inject(user('Mind the gap.'))
    await runFixtureTurn(app.ctx, { task: 'Go' })
    expect(scripted.prompts).toEqual([
      {
        blocks: [
          { type: 'text', text: 'Mind the gap.' },
          { type: 'text', text: 'Go' },
        ],
      },
    ])
  })

  it('logs a run that the agent began by itself as a turn', async () => {
    const scripted = scriptedAgent([])
    await using app = await realApp({ agent: scripted.factory })
    const place = { sessionId: SESSION, runId: 'own-1' }
    scripted.emit({ ...place, event: 'run_started' })
    scripted.emit({ ...place, ...text('m', 'The child is back.') })
    scripted.emit({ ...place, ...completed })
    await rootOf(app).whenIdle()
    expect(withoutChunks(app.events)).toEqual([
      'turn/start',
      'step/start',
      'assistant/message The child is back.',
      'step/end',
      'turn/end completed',
    ])
  })
})
