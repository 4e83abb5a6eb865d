/**
 * What the replay server costs: against the smallest server that the same client is content with, and against `@copilotkit/aimock`.
 * Each server runs in a process of its own, from built files; every question begins a new conversation and has a system text of 10 kB.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempWorkspace } from '@loader-smoke/testkit'
import { runCodex } from '../../packages/model-replay/tests/clients/run-codex.ts'
import { askMany, askOnce, startMeasured } from '../measure/model-client.ts'
import { measurePair, type Row, timeOf } from '../measure/paired.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [COUNT, LANES] = [1_000, 16]

/** One row after another, as they are measured. */
export async function* rows(): AsyncGenerator<Row> {
  execFileSync(process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'),
    '-b',
    join(root, 'packages/model-replay'),
  ])
  await using ours = await startMeasured('ours')
  await using minimal = await startMeasured('minimal')
  await using aimock = await startMeasured('aimock')
  for (const { url } of [ours, minimal, aimock]) await askMany(url, COUNT, LANES)
  for (const [name, other] of [
    ['the smallest server', minimal],
    ['aimock', aimock],
  ] as const) {
    yield measurePair(
      { bench: `first byte over ${name}`, unit: 'ms', ours: first(ours.url), other: first(other.url) },
      200,
    )
    yield measurePair(
      { bench: `${COUNT} answers over ${name}`, unit: 'ms', ours: many(ours.url), other: many(other.url) },
      7,
    )
  }
  yield measurePair(
    { bench: "memory after that over aimock's", unit: 'bytes', ours: ours.memory, other: aimock.memory },
    1,
  )
  // Servers without the thousands of requests from above in their memory.
  await using freshOurs = await startMeasured('ours')
  await using freshMinimal = await startMeasured('minimal')
  yield measurePair(
    {
      bench: 'a Codex turn over the smallest server',
      unit: 'ms',
      ours: codex(freshOurs.url),
      other: codex(freshMinimal.url),
    },
    14,
  )
  const [mine, theirs] = ['@loader-smoke/model-replay', '@copilotkit/aimock'].map((name) => () => importCost(name))
  if (mine && theirs)
    yield measurePair({ bench: "an import over aimock's", unit: 'ms cpu', ours: mine, other: theirs }, 15)
}

const first = (url: string) => () => askOnce(url)
const many = (url: string) => () => timeOf(() => askMany(url, COUNT, LANES))
const codex = (url: string) => () => timeOf(() => askCodex(url))

async function askCodex(url: string): Promise<void> {
  await using folder = await tempWorkspace()
  const { exitCode } = await runCodex({
    url,
    model: 'mock-model',
    prompt: `question ${Math.random()}`,
    folder: folder.path,
  })
  if (exitCode !== 0) throw new Error(`the Codex CLI ended with ${exitCode}`)
}

/** CPU time, user and system, that a fresh Node spends on importing `name` from the replay package, in milliseconds. */
async function importCost(name: string): Promise<number> {
  const program = `
    const before = process.cpuUsage()
    await import(${JSON.stringify(name)})
    const { user, system } = process.cpuUsage(before)
    console.log((user + system) / 1000)`
  const { NODE_OPTIONS: _, ...env } = process.env
  const cwd = join(root, 'packages/model-replay')
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd, env, encoding: 'utf8' }))
}
