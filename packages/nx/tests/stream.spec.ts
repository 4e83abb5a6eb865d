/** `--stream` in a real Nx: what bins print is seen while they run. */
import { waitFor } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { app } from './app.ts'
import { type Scratch, scratch, startNx } from './scratch.ts'

/** Prints a line, and ends once the file `go` is in the workspace: whoever writes it has seen the line. */
const waits = (name: string) => `
import { appendFileSync, existsSync } from 'node:fs'
appendFileSync(new URL('../../../../runs.log', import.meta.url), '${name} src\\n')
console.log('${name} is ready, ::error::no, ' + process.env.MY_API_KEY)
console.error('##[error]no')
while (!existsSync(new URL('../../../go', import.meta.url))) await new Promise((resolve) => setTimeout(resolve, 20))
process.stdout.write('\\u001b[2Jthe end of ${name}')
`
const target = (more = {}) => ({
  smoke: {
    executor: '@loader-smoke/nx:smoke',
    options: { bin: '{projectRoot}/src/bin.ts', turn: 'optional', env: { MY_API_KEY: 'sk-0123456789' }, ...more },
  },
})

async function workspaceOf(names: readonly string[], more = {}): Promise<Scratch> {
  const apps = names.map((name) => ({ ...app(name, target(more)), [`packages/${name}/src/bin.ts`]: waits(name) }))
  return scratch(Object.assign({}, ...apps) as Record<string, string>)
}

const seen = (name: string, label = '') => [
  `${label}│ ${name} is ready, ::error::no, [redacted]\n`,
  `${label}┃ # #[error]no\n`,
]

describe('--stream in Nx', { timeout: 300_000 }, () => {
  it.each([[[]], [['--batch=false']]])(
    'shows what a bin prints while it runs, and runs it although its pass is in the cache: %j',
    async (more) => {
      await using workspace = await workspaceOf(['example'])
      const { output, ended } = startNx(workspace.path, ['run', 'example:smoke', '--stream', ...more])
      await waitFor('the lines to be shown', () => seen('example').every((line) => output().includes(line)), {
        deadlineMs: 120_000,
      })
      await workspace.write('go', '')
      const first = await ended
      expect(first.exitCode).toBe(0)
      expect(first.output).toMatch(/│ the end of example\n[^]*✔ example:smoke passed/)
      for (const count of [2, 3]) {
        const again = await workspace.nx(['run', 'example:smoke', '--stream', ...more])
        expect(again.output).toContain('│ the end of example\n')
        expect(await workspace.boots()).toHaveLength(count)
      }
      for (const _ of [1, 2]) {
        const quiet = await workspace.nx(['run', 'example:smoke', ...more])
        expect(quiet.output).toContain('✔ example:smoke passed')
        expect(quiet.output).not.toContain('the end of')
        expect(await workspace.boots()).toHaveLength(4)
      }
    },
  )

  it('says of each line whose it is when many run, in a batch and in processes of their own', async () => {
    await using workspace = await workspaceOf(['one', 'two'], { label: 'boots' })
    const many = ['run-many', '-t', 'smoke', '--stream']
    const batch = startNx(workspace.path, many, { NX_PARALLEL: '2' })
    const shown = [...seen('one', 'one:boots '), ...seen('two', 'two:boots ')]
    await waitFor('lines of both', () => shown.every((line) => batch.output().includes(line)), { deadlineMs: 120_000 })
    await workspace.write('go', '')
    const { exitCode, output } = await batch.ended
    expect(exitCode).toBe(0)
    expect(output).toContain('\none:boots │ the end of one\n')
    expect(output).toContain('\ntwo:boots │ the end of two\n')
    const apart = await workspace.nx([...many, '--batch=false', '--output-style=stream'])
    // Here Nx itself says whose they are.
    expect(apart.output).toMatch(/^ *one: *│ the end of one$/m)
    expect(apart.output).toMatch(/^ *two: *│ the end of two$/m)
  })

  it('is an option of a target too: a replay then shows the lines of the run that it replays, where Nx keeps them', async () => {
    await using workspace = await workspaceOf(['example'], { stream: true })
    await workspace.write('go', '')
    for (const _ of [1, 2]) {
      const { output } = await workspace.nx(['run', 'example:smoke', '--batch=false'])
      expect(output).toContain('│ the end of example\n')
    }
    expect(await workspace.boots()).toHaveLength(1)
    const quiet = await workspace.nx(['run', 'example:smoke', '--batch=false', '--no-stream'])
    expect(quiet.output).not.toContain('the end of')
  })

  it('is refused when it is neither on nor off', async () => {
    await using workspace = await workspaceOf(['example'], { stream: 'loud' })
    const { exitCode, output } = await workspace.nx(['run', 'example:smoke'])
    expect(exitCode).toBe(1)
    expect(output).toContain(
      '✖ example:smoke did not run\nexample:smoke: stream must be true or false, got "loud".\nNext: give one of these, or leave it out.\n',
    )
    expect(await workspace.boots()).toEqual([])
  })
})
