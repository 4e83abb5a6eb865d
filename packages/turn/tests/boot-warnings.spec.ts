/** What the real loader skips in a real config reaches the report. */
import { boot } from '@deepseek-ai/dsh-app-boot'
import { tempWorkspace } from '@loader-smoke/testkit'
import { afterEach, expect, it, vi } from 'vitest'
import { reportBootWarnings } from '../src/boot-warnings.ts'
import { REPORT_ENV } from '../src/report.ts'

afterEach(() => vi.unstubAllEnvs())

const plugin = `
export const name = 'chatty'
export function apply(ctx) { ctx.logger.warn('a warning of my own'); ctx.logger('loader').info('not a warning') }
`

async function bootWith(patches: Parameters<typeof boot>[2]): Promise<string> {
  await using folder = await tempWorkspace({
    'cordis.yml': '- id: chatty\n  name: ./chatty.mjs\n- id: second\n  name: ./chatty.mjs\n',
    'chatty.mjs': plugin,
  })
  vi.stubEnv(REPORT_ENV, folder.file('report.jsonl'))
  const ctx = await boot('warned', folder.file('cordis.yml'), patches, reportBootWarnings)
  await ctx.fiber.dispose()
  return folder.read('report.jsonl').catch(() => '')
}

it('reports a patch that names an unknown entry, and one whose name does not match', async () => {
  const text = await bootWith([
    { id: 'nope', config: {} },
    { id: 'chatty', name: './other.mjs', config: {} },
    { insert: [], id: 'chatty' },
  ])
  const messages = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const atMs = expect.any(Number)
  expect(messages).toEqual([
    { v: 1, type: 'boot-warning', message: 'patch: entry "nope" not found', atMs },
    {
      v: 1,
      type: 'boot-warning',
      message: 'patch: name mismatch for "chatty" (expected "./chatty.mjs", got "./other.mjs"), skipping',
      atMs,
    },
    { v: 1, type: 'boot-warning', message: 'patch insert: entry "chatty" is not a group', atMs },
  ])
})

it('reports nothing for a config in which everything applied, whatever plugins warn of', async () => {
  expect(await bootWith([{ id: 'chatty', config: {} }])).toBe('')
})
