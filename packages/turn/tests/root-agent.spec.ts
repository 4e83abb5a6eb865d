/** Which agent a turn goes to, and how long it is waited for. */
import { describe, expect, it, vi } from 'vitest'
import type { FixtureContext } from '../src/context.ts'
import { onlyRootAgent } from '../src/root-agent.ts'
import { runFixtureTurn } from '../src/turn.ts'
import { addAgent, answering, app } from './scripted-agent.ts'

describe('onlyRootAgent', () => {
  it('finds the one agent that is there', async () => {
    await using ctx = await app()
    const agent = addAgent(ctx, 'main', answering('hi'))
    expect(await onlyRootAgent(ctx)).toBe(agent)
  })

  it('says at once that there is no service, with 0 agents', async () => {
    const ctx = { get: () => undefined } as unknown as FixtureContext
    await expect(onlyRootAgent(ctx)).rejects.toThrow(
      'fixture turn requires exactly one top-level agent, found 0. No `agents` service is registered in this context. Next: add @deepseek-ai/dsh-agent (or what provides `agents`) to the config, and pass the context that boot() returned.',
    )
  })

  it('names the sessions when there are two', async () => {
    await using ctx = await app()
    addAgent(ctx, 'one', answering('hi'))
    addAgent(ctx, 'two', answering('hi'))
    await expect(onlyRootAgent(ctx)).rejects.toThrow(
      'fixture turn requires exactly one top-level agent, found 2. Sessions: one, two. Next: leave one agent in the config that this turn boots.',
    )
  })

  it('waits for an agent that is published after a timer', async () => {
    await using ctx = await app()
    setTimeout(() => addAgent(ctx, 'late', answering('better late')), 20)
    expect((await runFixtureTurn(ctx, { task: 'go' })).output).toBe('better late')
  })

  it('counts again when the wait is over: two published at once are two', async () => {
    await using ctx = await app()
    setTimeout(() => {
      addAgent(ctx, 'one', answering('hi'))
      addAgent(ctx, 'two', answering('hi'))
    }, 5)
    await expect(onlyRootAgent(ctx)).rejects.toThrow('exactly one top-level agent, found 2')
  })

  it('says so when none is published in time, and stops listening', async () => {
    await using ctx = await app()
    const dispose = vi.fn<() => boolean>()
    const on = vi.spyOn(ctx, 'on').mockReturnValue(dispose)
    await expect(onlyRootAgent(ctx, 30)).rejects.toThrow(
      'fixture turn requires exactly one top-level agent, found 0. No agent was published within 0.03s. Next: check that the config declares one (`agents` of the agent loop), and that its session can be created.',
    )
    expect(on).toHaveBeenCalledOnce()
    expect(dispose).toHaveBeenCalledOnce()
  })

  it('does not take an agent whose publication was vetoed for one', async () => {
    await using ctx = await app()
    const found = onlyRootAgent(ctx)
    let vetoes = 0
    ctx.on('agent/created', () => {
      if (vetoes++ === 0) throw new Error('not this one')
    })
    expect(() => addAgent(ctx, 'vetoed', answering('no'))).toThrow('not this one')
    await new Promise((resolve) => setImmediate(resolve))
    addAgent(ctx, 'allowed', answering('yes'))
    expect((await found).session.id).toBe('allowed')
  })

  it('leaves no timer behind that would keep the app from ending', async () => {
    vi.useFakeTimers()
    try {
      await using ctx = await app()
      const found = onlyRootAgent(ctx)
      expect(vi.getTimerCount()).toBe(1)
      addAgent(ctx, 'main', answering('hi'))
      await found
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})
