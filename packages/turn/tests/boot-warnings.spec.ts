/** What the real loader skips in a real config reaches the report. */
import { boot } from '@deepseek-ai/dsh-app-boot'
import { tempWorkspace, waitFor } from '@loader-smoke/testkit'
import { afterEach, expect, it, vi } from 'vitest'
import { reportBootWarnings } from '../src/boot-warnings.ts'
import { REPORT_ENV } from '../src/report.ts'

afterEach(() => vi.unstubAllEnvs())

const plugin = `
export const name = 'chatty'
export function apply(ctx) { ctx.logger.warn('a warning of my own'); ctx.logger.error('an error of my own'); ctx.logger('loader').info('not a warning') }
`

const yml = '- id: chatty\n  name: ./chatty.mjs\n- id: second\n  name: ./chatty.mjs\n'

/** The messages in the report, after booting `config` with `patches` and waiting for `awaited` of them. */
async function bootWith(patches: Parameters<typeof boot>[2], config = yml, awaited = 0): Promise<string[]> {
  await using folder = await tempWorkspace({ 'cordis.yml': config, 'chatty.mjs': plugin })
  vi.stubEnv(REPORT_ENV, folder.file('report.jsonl'))
  // Some of these configs can't boot; what the loader said on the way is asked here.
  const ctx = await boot('warned', folder.file('cordis.yml'), patches, reportBootWarnings).catch(() => undefined)
  const lines = async () =>
    (await folder.read('report.jsonl').catch(() => '')).split('\n').filter((line) => line !== '')
  await waitFor('the awaited lines', async () => (await lines()).length >= awaited)
  await ctx?.fiber.dispose()
  return (await lines()).map((line) => {
    const { message, ...rest } = JSON.parse(line)
    expect(rest).toEqual({ v: 1, type: 'boot-warning', atMs: expect.any(Number) })
    return message.replaceAll(folder.path, '<folder>')
  })
}

it('reports a patch that names an unknown entry, one whose name does not match, and an insert into no group', async () => {
  expect(
    await bootWith([
      { id: 'nope', config: {} },
      { id: 'chatty', name: './other.mjs', config: {} },
      { insert: [], id: 'chatty' },
    ]),
  ).toEqual([
    'patch: entry "nope" not found',
    'patch: name mismatch for "chatty" (expected "./chatty.mjs", got "./other.mjs"), skipping',
    'patch insert: entry "chatty" is not a group',
  ])
})

it('reports why a plugin could not be resolved, which the error of the boot leaves out', async () => {
  expect(await bootWith([], '- id: lost\n  name: ./lost.mjs\n')).toEqual([
    expect.stringMatching(/^Cannot find module '<folder>\/lost\.mjs' imported from /),
  ])
})

it('reports where a config breaks off, once', async () => {
  expect(await bootWith([], '- id: [\n')).toEqual([
    expect.stringContaining('unexpected end of the stream within a flow collection (2:1)'),
    'failed to parse config file <folder>/cordis.yml',
  ])
})

it('reports why an agent that the config declares was not published', async () => {
  const config = `
- { id: sessions, name: '@deepseek-ai/dsh-session' }
- { id: llm, name: '@deepseek-ai/dsh-llm' }
- { id: system-prompt, name: '@deepseek-ai/dsh-system-prompt' }
- { id: tools, name: '@deepseek-ai/dsh-tools' }
- { id: agents, name: '@deepseek-ai/dsh-agent' }
- id: agent-loop
  name: '@deepseek-ai/dsh-agent-loop'
  config: { agents: [{ id: main, provider: p, model: m, resumeSessionId: gone }] }
- { id: persistence, name: '@deepseek-ai/dsh-session-persistence-jsonl', config: { root: ./sessions } }
`
  expect(await bootWith([], config, 1)).toEqual([
    'the configured agent of session gone did not start: session "gone" not found',
  ])
})

it('reports nothing for a config in which everything applied, whatever plugins warn of', async () => {
  expect(await bootWith([{ id: 'chatty', config: {} }])).toEqual([])
})
