/** The README's table of errors against what is thrown. */
import { readFile } from 'node:fs/promises'
import type { Context } from '@deepseek-ai/cordis'
import { expect, test } from 'vitest'
import type { FixtureTurnOptions } from '../src/turn.ts'
import { runFixtureTurn } from '../src/turn.ts'
import { TurnError } from '../src/turn-error.ts'
import { addAgent, app, endingWith, type Script } from './scripted-agent.ts'

interface Failing {
  readonly options?: Partial<FixtureTurnOptions>
  readonly script?: Script
  prepare?(ctx: Context, agent: ReturnType<typeof addAgent>): void
}

const ends = (kind: string, more: object = {}): Failing => ({ script: endingWith({ kind, ...more } as never) })

/** In the order of the table. */
const failing: readonly Failing[] = [
  { prepare: (ctx) => void addAgent(ctx, 'second', () => {}) },
  ends('error', { error: { code: 'AUTH', status: 401, message: 'bad key' } }),
  ends('max-tokens'),
  ends('aborted', { reason: { kind: 'hook', reason: 'policy' } }),
  ends('blocked'),
  ends('interrupted'),
  ends('melted'),
  { prepare: (_, agent) => void (agent.followup = () => {}) },
  {
    prepare(_, agent) {
      agent.followup = (message) => {
        agent.inbox.append('next-turn', message)
        agent.inbox.clear()
      }
    },
  },
  { script: (session, turn) => void session.append('turn/start', { turn }) },
  { prepare: (_, agent) => void (agent.followup = (message) => agent.inbox.append('next-turn', message)) },
  { options: { task: '' } },
]

test('the README has every failure in the words that are thrown', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const table = readme.slice(readme.indexOf('<!-- errors: checked'), readme.indexOf('<!-- errors: end'))
  const rows = [...table.matchAll(/^\| (`[^`]+`|any other) +\| (`+)(.*?)\2 +\|/gm)]
  const thrown: unknown[] = []
  for (const { options, script = () => {}, prepare } of failing) {
    await using ctx = await app()
    const agent = addAgent(ctx, 'main', script)
    prepare?.(ctx, agent)
    thrown.push(await runFixtureTurn(ctx, { task: 'go', ...options }).catch((error: unknown) => error))
  }
  expect(thrown).toEqual(
    rows.map(([, kind = '', , message = '']) => {
      const words = message.split(/<\w+>/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      const pattern = new RegExp(`^${words.join('.+')}$`)
      return expect.toSatisfy(
        (error: unknown) =>
          error instanceof TurnError &&
          pattern.test(error.message) &&
          (kind === 'any other' ? error.kind === 'melted' : `\`${error.kind}\`` === kind),
      )
    }),
  )
})
