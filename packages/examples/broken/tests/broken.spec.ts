/** Each broken app through the harness: the whole message that its user sees is a file in `messages/`. */
import { readdir, readFile } from 'node:fs/promises'
import { LOADER_SMOKE_TEST_TIMEOUT_MS, runLoaderSmoke, SmokeError } from '@loader-smoke/harness'
import { tempWorkspace } from '@loader-smoke/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { cases } from './cases.ts'
import { build, inBroken, optionsOf } from './options-of.ts'
import { withoutChance } from './without-chance.ts'

beforeAll(build, 120_000)

describe('a broken app', { timeout: LOADER_SMOKE_TEST_TIMEOUT_MS }, () => {
  it.each(cases)('$name: $breaks', async ({ name, kind, ...how }) => {
    await using parent = await tempWorkspace()
    const error = await runLoaderSmoke({ ...optionsOf(how), label: name, tempDirParent: parent.path }).then(
      () => expect.unreachable(`${name} passed`),
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(SmokeError)
    const { message, verdict } = error as SmokeError
    expect(verdict.kind).toBe(kind)
    await expect(withoutChance(message, parent.path)).toMatchFileSnapshot(`messages/${name}.txt`)
    expect(await readdir(parent.path)).toEqual([])
  })

  it('has a message file, and no file without its app', async () => {
    const files = await readdir(new URL('messages', import.meta.url))
    expect(files.toSorted()).toEqual(cases.map(({ name }) => `${name}.txt`).toSorted())
  })
})

it('can be seen in a terminal: there is a target for each', async () => {
  const project = JSON.parse(await readFile(inBroken('project.json'), 'utf8'))
  expect(Object.keys(project.targets).toSorted()).toEqual([...cases.map(({ name }) => name), 'late-agent'].toSorted())
})

describe('an app that is slow but not broken', { timeout: LOADER_SMOKE_TEST_TIMEOUT_MS }, () => {
  it('passes when its agent is published after the loader has settled', async () => {
    const options = optionsOf({ bin: 'src/app.ts', config: 'late-agent', script: 'answers' })
    const { turns } = await runLoaderSmoke({ ...options, label: 'late-agent' })
    expect(turns).toEqual([
      {
        type: 'result',
        sessionId: 'late',
        output: 'Here I am.',
        usage: expect.objectContaining({ inputTokens: 40, outputTokens: 4 }),
      },
    ])
    expect(options.binScript).toBe(inBroken('src/app.ts'))
  })
})
