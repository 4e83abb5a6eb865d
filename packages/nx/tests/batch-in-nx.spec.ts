/** Many smokes in one process of a real Nx. */
import { describe, expect, it } from 'vitest'
import { app, smokeTarget } from './app.ts'
import { scratch } from './scratch.ts'

describe('a batch', { timeout: 300_000 }, () => {
  it('runs the smokes of several projects, each with its own .env, and one that fails stops no other', async () => {
    const target = smokeTarget({ passEnv: ['WORD'] })
    await using workspace = await scratch({
      ...app('one', { smoke: target }),
      ...app('two', { smoke: target }),
      ...app('bad', { smoke: smokeTarget({ env: { FIXTURE_EXIT: '7' } }) }),
      ...app('wrong', { smoke: smokeTarget({ bin: 5, env: 'A=1', expect: null }) }),
      'packages/one/.env': 'WORD=first,\n',
      'packages/two/.env': 'WORD=second,\n',
    })
    const { exitCode, output } = await workspace.nx(['run-many', '-t', 'smoke', '--output-style=static'])
    expect(exitCode).toBe(1)
    expect(output).toMatch(/Running 4 tasks with @loader-smoke\/nx:smoke/)
    expect(output).toContain('  answer  hello # hello first,Say hello.\n')
    expect(output).toContain('  answer  hello # hello second,Say hello.\n')
    expect(output).toContain('bad:smoke exited 7 (expected 0).\n')
    expect(output).toContain('✖ wrong:smoke did not run\nbin must be a path that is not empty, got 5.\n')
    expect(await workspace.boots()).toHaveLength(3)
    // Those that passed are in the cache; the one that failed is not.
    const again = await workspace.nx(['run-many', '-t', 'smoke', '--output-style=static'])
    expect(again.exitCode).toBe(1)
    expect((await workspace.booted()).slice(3).map(({ app }) => app)).toEqual(['bad'])
    // The same smokes in processes of their own have the same keys.
    const apart = await workspace.nx(['run-many', '-t', 'smoke', '-p', 'one,two', '--batch=false'])
    expect(apart.output).toContain('read the output from the cache')
    expect(await workspace.boots()).toHaveLength(4)
  })
})
