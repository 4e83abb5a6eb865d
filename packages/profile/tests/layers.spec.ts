/** What may be opted out of, and what is left out unless asked for. */
import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { LOADER_SMOKE_TEST_TIMEOUT_MS, runLoaderSmoke } from '@loader-smoke/harness'
import { beforeAll, expect, test } from 'vitest'
import { checkPatches } from '../src/compose/check-patches.ts'
import { build, scratch, smokeOf } from './scratch.ts'

beforeAll(build, 120_000)

const timeout = { timeout: LOADER_SMOKE_TEST_TIMEOUT_MS }
const persona = (text: string) => `- { id: system-prompt, config: { persona: ${text} } }\n`
const overlay = (patches: object[]) => ({ label: 'overlay a', kind: 'overlay' as const, file: '/a.patch.yml', patches })

test('allowUnmatched lets the patches of that id match nothing, and no other', () => {
  const layers = [
    overlay([{ insert: [{ id: 'llm', name: 'llm' }] }, { id: 'web', disabled: true }, { id: 'lm', config: {} }]),
  ]
  const { patches, problems } = checkPatches(layers, 'profile "p"', ['web'])
  expect(patches).toEqual([{ insert: [{ id: 'llm', name: 'llm' }] }])
  expect(problems).toEqual([
    {
      what: `overlay a, patch 3 is for the entry "lm", which the layers below it don't have. Nearest: "llm".`,
      next: 'correct the id, or name it in allowUnmatched; profile "p" has at that place: llm.',
    },
  ])
})

test('allowUnmatched does not let a wrong name through', () => {
  const layers = [overlay([{ insert: [{ id: 'llm', name: 'llm' }] }, { id: 'llm', name: 'lm' }])]
  expect(checkPatches(layers, 'profile "p"', ['llm']).problems).toHaveLength(1)
})

test('entries inside of groups can be patched and are suggested', () => {
  const group = { id: 'g', name: 'cordis:group', group: true, config: [{ id: 'inner', name: 'x' }] }
  expect(
    checkPatches([overlay([{ insert: [group] }, { id: 'inner', disabled: true }])], 'profile "p"', []).problems,
  ).toEqual([])
  expect(checkPatches([overlay([{ insert: [group] }, { id: 'iner' }])], 'profile "p"', []).problems[0]?.what).toContain(
    '"inner"',
  )
})

test('a profile’s own patches apply only when asked for, between bundles and overlays', timeout, async () => {
  await using installation = await scratch()
  const overlays = ['model.patch.yml'].map(installation.overlay)
  const run = (options: object) => {
    const smoke = smokeOf(installation, 'lib', overlays, { ...options })
    return runLoaderSmoke({
      ...smoke,
      async prepare(cwd) {
        await smoke.prepare?.(cwd)
        await writeFile(join(cwd, '.dsh', 'profiles', 'scratch', 'cordis.patch.yml'), persona('You are wordy.'))
      },
    })
  }
  // The script expects the persona of the bundle.
  await run({})
  await expect(run({ userLayer: true })).rejects.toThrow(/You are terse/)
})
