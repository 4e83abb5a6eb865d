import { tempWorkspace } from '@loader-smoke/testkit'
import type { NxJsonConfiguration } from '@nx/devkit'
import { describe, expect, it } from 'vitest'
import { parallelism } from '../src/executors/smoke/batch.ts'
import { inPool } from '../src/executors/smoke/pool.ts'
import { dotenvFiles, taskEnvironment } from '../src/executors/smoke/task-environment.ts'

async function all<T>(results: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const result of results) list.push(result)
  return list
}

describe('inPool', () => {
  it.each([1, 2, 5])('runs at most %d at once and gives each result once', async (atOnce) => {
    let now = 0
    let most = 0
    const runs = Array.from({ length: 5 }, (_, index) => async () => {
      most = Math.max(most, (now += 1))
      for (let turn = 0; turn < 5 - index; turn++) await Promise.resolve()
      now -= 1
      return index
    })
    const results = await all(inPool(runs, atOnce))
    expect(results.toSorted()).toEqual([0, 1, 2, 3, 4])
    expect(most).toBe(atOnce)
  })

  it('gives nothing of nothing', async () => {
    expect(await all(inPool([], 3))).toEqual([])
  })
})

describe('parallelism', () => {
  it.each([
    [{}, {}, 8],
    [{}, { parallel: 3 }, 3],
    [{ NX_PARALLEL: '2' }, { parallel: 3 }, 2],
    [{}, { parallel: '50%' }, 4],
    [{}, { parallel: '1%' }, 8],
    [{ NX_PARALLEL: 'many' }, {}, 8],
    [{ NX_PARALLEL: '0' }, {}, 8],
  ])('of %j and %j is %d', (env, nxJson, count) => {
    expect(parallelism(env, nxJson as NxJsonConfiguration, 8)).toBe(count)
  })
})

describe('taskEnvironment', () => {
  const files = {
    '.env': 'A=workspace\nB=workspace\nC=workspace\n',
    '.env.smoke': 'B=target\n',
    'packages/app/.env': 'C=project\nD=project\n',
    'packages/app/.env.smoke.local': 'D=special\n',
  }

  it('lets the shell win over files, and special files over general ones', async () => {
    await using workspace = await tempWorkspace(files)
    // What Nx loaded from the workspace's own files when it started is in its environment.
    const ambient = { A: 'shell', B: 'workspace', C: 'workspace', E: 'shell' }
    const environment = taskEnvironment(ambient, workspace.path, 'packages/app', 'smoke', undefined)
    expect(environment).toEqual({ A: 'shell', B: 'target', C: 'project', D: 'special', E: 'shell' })
    const off = { ...ambient, NX_LOAD_DOT_ENV_FILES: 'false' }
    expect(taskEnvironment(off, workspace.path, 'packages/app', 'smoke', undefined)).toBe(off)
  })

  it('looks for the files of a configuration first', () => {
    expect(dotenvFiles('packages/app', 'smoke', 'slow').slice(0, 2)).toEqual([
      'packages/app/.env.smoke.slow.local',
      'packages/app/.env.smoke.slow',
    ])
    expect(dotenvFiles('.', 'smoke', undefined)).toEqual([
      '.env.smoke.local',
      '.env.smoke',
      '.smoke.local.env',
      '.smoke.env',
      '.env.local',
      '.local.env',
      '.env',
    ])
  })
})
