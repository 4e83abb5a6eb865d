/**
 * `npm run test:cache-truth`: changes one thing at a time and looks whether a real Nx runs the smoke again, with a local cache and through a remote one.
 * Whether it ran is read from what the app itself wrote, not from what Nx says.
 */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { optionNames } from '../src/declared/names.ts'
import { optionChanges, withoutRow } from './cache-truth-options.ts'
import { link, projects } from './cache-truth-projects.ts'
import { projectOf, type Row, rows } from './cache-truth-rows.ts'
import { type RemoteCache, remoteCache } from '@loader-smoke/testkit'
import { type Scratch, scratch } from './scratch.ts'

const MINUTES = 60_000

/** Runs every row's smoke and gives the names of those that were really booted. */
async function bootAll(workspace: Scratch, env: Readonly<Record<string, string>> = {}): Promise<Set<string>> {
  const before = (await workspace.booted()).length
  for (const [target, names] of [
    ['smoke', rows.filter(({ ci }) => ci !== true)],
    ['smoke-ci', rows.filter(({ ci }) => ci === true)],
  ] as const) {
    const { exitCode, output } = await workspace.nx(
      ['run-many', '-t', target, '-p', names.map(projectOf).join(','), '--parallel=3', '--output-style=static'],
      env,
    )
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 })
  }
  return new Set((await workspace.booted()).slice(before).map(({ app }) => app))
}

/** Whether a row's smoke was booted again. */
function outcome(row: Row, changed: ReadonlySet<string>): 'hit' | 'miss' {
  return changed.has(projectOf(row)) ? 'miss' : 'hit'
}

const made = { timeout: 10 * MINUTES }
let local: Scratch
let second: Scratch
let remote: RemoteCache
/** Apps that were booted: by the first runs, by a second run of the same, and after the changes. */
const boots = {
  first: new Set<string>(),
  again: new Set<string>(),
  changed: new Set<string>(),
  cloned: new Set<string>(),
  clonedChanged: new Set<string>(),
}

beforeAll(async () => {
  const base = await readFile(new URL('../../../tsconfig.base.json', import.meta.url), 'utf8')
  const targets = new Map(rows.map((row) => [projectOf(row), row.target]))
  const files = { ...projects(targets), 'tsconfig.root.json': base }
  remote = await remoteCache()
  local = await scratch(files)
  await link(local, targets.keys())
  boots.first = await bootAll(local, remote.env)
  boots.again = await bootAll(local)
  for (const row of rows) await row.apply(local, projectOf(row))
  boots.changed = await bootAll(local)
  second = await scratch(files, 'another folder', local.path)
  await link(second, targets.keys())
  boots.cloned = await bootAll(second, remote.env)
  for (const row of rows) await row.apply(second, projectOf(row))
  boots.clonedChanged = await bootAll(second, remote.env)
}, 30 * MINUTES)

afterAll(async () => {
  await local?.[Symbol.asyncDispose]()
  await second?.[Symbol.asyncDispose]()
  await remote?.[Symbol.asyncDispose]()
})

it('has a row for every option that a target can have', () => {
  const covered = new Set([...Object.keys(optionChanges), ...Object.keys(withoutRow)])
  expect(optionNames.filter((name) => !covered.has(name))).toEqual([])
})

describe('a smoke that is in the cache', made, () => {
  it('was booted once, is replayed when nothing changed, and in another clone too', () => {
    expect([...boots.first].toSorted()).toEqual(rows.map(projectOf).toSorted())
    expect([...boots.again]).toEqual([])
    expect([...boots.cloned]).toEqual([])
  })

  it.each(rows.map((row) => [row.must, row.change, row] as const))('is a %s after a change of %s', (must, _, row) => {
    expect({ local: outcome(row, boots.changed), remote: outcome(row, boots.clonedChanged) }).toEqual({
      local: must,
      remote: must,
    })
  })
})
