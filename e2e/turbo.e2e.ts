/** A fresh Turborepo workspace that has this repository's packages from packed files only. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertNothingLeft, processesWith, waitFor } from '@loader-smoke/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packPackages, ROOT, usePacked, userEnvironment } from './packed.ts'

const APP = 'apps/agent'
let folder: string
let workspace: string

interface Ran {
  readonly code: number | null
  readonly output: string
}

function start(
  [program = '', ...words]: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): { child: ChildProcess; ended: Promise<Ran> } {
  const child = spawn(program, words, {
    cwd,
    env: userEnvironment({ TURBO_UI: '0', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = new Promise<Ran>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
  return { child, ended }
}

const turbo = (words: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = workspace) =>
  start(['npx', 'turbo', 'run', ...words], cwd, env).ended

/** Whether a task was taken from the cache, by turbo's own words. */
const taken = ({ output }: Ran, task: string) => new RegExp(`${task}: cache (hit|miss)`).exec(output)?.[1]

async function git(...words: string[]): Promise<void> {
  const [code] = (await once(
    spawn('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...words], {
      cwd: workspace,
      stdio: 'ignore',
    }),
    'close',
  )) as [number]
  if (code !== 0) throw new Error(`git ${words.join(' ')} ended with ${code}`)
}

/** A bin that hangs where MARKER is set. */
const hang = (text: string) => `if (process.env.MARKER) await new Promise(() => setInterval(() => {}, 1_000))\n${text}`

/** Changes a file of the workspace for as long as `during` takes. */
async function changed<T>(path: string, edit: (text: string) => string, during: () => Promise<T>): Promise<T> {
  const file = join(workspace, path)
  const before = await readFile(file, 'utf8')
  await writeFile(file, edit(before))
  try {
    return await during()
  } finally {
    await writeFile(file, before)
  }
}

const task = (name: string, edit: (task: Record<string, unknown>) => object) => (text: string) => {
  const file = JSON.parse(text) as { tasks: Record<string, Record<string, unknown>> }
  file.tasks[name] = edit(file.tasks[name] ?? {}) as Record<string, unknown>
  return JSON.stringify(file, null, 2)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loader-smoke-turbo-'))
  workspace = join(folder, 'a workspace')
  const packed = await packPackages(['turn', 'harness', 'model-replay', 'cli'], join(folder, 'packed'))
  await cp(join(ROOT, 'e2e/turbo-workspace'), workspace, { recursive: true })
  await rename(join(workspace, 'gitignore'), join(workspace, '.gitignore'))
  for (const path of ['', APP]) await usePacked(join(workspace, path), packed)
  const install = await start(['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline'], workspace).ended
  if (install.code !== 0) throw new Error(install.output)
  await git('init', '--quiet')
  await git('add', '--all')
  await git('commit', '--quiet', '--message', 'a workspace')
}, 300_000)

afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

describe('a fresh Turborepo workspace', { timeout: 180_000 }, () => {
  it('is what init writes', async () => {
    const { code, output } = await start(['npx', 'loader-smoke', 'init'], join(workspace, APP)).ended
    expect(output).toMatch(/^wrote \.gitignore\n/)
    expect(output).not.toMatch(/turbo\.json|package\.json|smoke\.config/)
    expect(code).toBe(0)
    await rm(join(workspace, APP, '.gitignore'))
  })

  it('passes from source and built, and a second time from the cache with its reports', async () => {
    const first = await turbo(['smoke', 'smoke:lib'])
    expect(first.output).toMatch(/✓ agent \(src\) passed [^]*|✓ agent \(lib\) passed/)
    expect(first.code).toBe(0)
    const reports = ['src', 'lib'].map((mode) => join(workspace, APP, '.smoke', mode, 'report.json'))
    const before = await Promise.all(reports.map((file) => readFile(file, 'utf8')))
    expect(
      before.map((text) => (JSON.parse(text) as { smokes: { mode: string; verdict: string }[] }).smokes),
    ).toMatchObject([[{ mode: 'src', verdict: 'pass' }], [{ mode: 'lib', verdict: 'pass' }]])
    await rm(join(workspace, APP, '.smoke'), { recursive: true })
    const second = await turbo(['smoke', 'smoke:lib'])
    expect(second.output).toContain('FULL TURBO')
    expect(await Promise.all(reports.map((file) => readFile(file, 'utf8')))).toEqual(before)
  })

  it.each([
    ['the source of a dependency', 'packages/greeting/src/index.ts', (text: string) => `${text}// changed\n`],
    [
      'the tsconfig at the root',
      'tsconfig.base.json',
      (text: string) => text.replace('"strict": true', '"strict": true, "noEmitOnError": true'),
    ],
    ['the bin', `${APP}/src/bin.ts`, (text: string) => `${text}// changed\n`],
    ['the config', `${APP}/cordis.yml`, (text: string) => `# changed\n${text}`],
    ['the model script', `${APP}/model.yml`, (text: string) => `# changed\n${text}`],
    ['the smoke file', `${APP}/smoke.config.json`, (text: string) => `${text}\n`],
  ])('runs again after an edit of %s', async (_, path, edit) => {
    await changed(path, edit, async () => {
      const ran = await turbo(['smoke', 'smoke:lib'])
      expect([taken(ran, 'smoke'), taken(ran, 'smoke:lib'), ran.code]).toEqual(['miss', 'miss', 0])
    })
  })

  it('fails when a dependency breaks, though the smoke passed before, and runs again the next time', async () => {
    await changed(
      'packages/greeting/src/index.ts',
      (text) => text.replace("'hello'", "'goodbye'"),
      async () => {
        for (const attempt of [1, 2]) {
          const ran = await turbo(['smoke'])
          expect([attempt, taken(ran, 'smoke'), ran.code]).toEqual([attempt, 'miss', 1])
          expect(ran.output).toContain('agent wrote no "hello" to stdout.')
        }
      },
    )
    expect(taken(await turbo(['smoke']), 'smoke')).toBe('hit')
  })

  it.each([
    ['is not declared', { env: [] }, [], /DSH_EXAMPLE_MODE decides what this task tests, but is not declared/],
    [
      'is not declared, in loose mode',
      { env: [] },
      ['--env-mode=loose'],
      /DSH_EXAMPLE_MODE decides what this task tests, but is not declared/,
    ],
    [
      'is only passed through',
      { env: [], passThroughEnv: ['DSH_*'] },
      [],
      /DSH_EXAMPLE_MODE decides what this task tests, but is only in passThroughEnv/,
    ],
  ])('refuses to run when the mode %s', async (_, lacking, flags, message) => {
    await changed(
      'turbo.json',
      task('smoke', (given) => ({ ...given, ...lacking })),
      async () => {
        for (const mode of ['src', 'lib']) {
          const ran = await turbo(['smoke', ...flags], { DSH_EXAMPLE_MODE: mode })
          expect([mode, taken(ran, 'smoke')]).toEqual([mode, 'miss'])
          expect(ran.output).toMatch(message)
          expect(ran.code).not.toBe(0)
        }
      },
    )
  })

  it('never gives the pass of one mode for another', async () => {
    for (const flags of [[], ['--env-mode=loose']]) {
      // The way in which the environment is handed over is part of turbo's own key: the first run may be one.
      await turbo(['smoke', ...flags])
      expect(taken(await turbo(['smoke', ...flags]), 'smoke')).toBe('hit')
      const lib = await turbo(['smoke', ...flags], { DSH_EXAMPLE_MODE: 'lib' })
      expect([taken(lib, 'smoke'), lib.code === 0]).toEqual(['miss', false])
      expect(lib.output).toContain('Run `turbo run smoke:lib`')
    }
  })

  it('runs nothing with --affected when nothing is, and the app when its dependency is', async () => {
    const none = await turbo(['smoke', '--affected'], { TURBO_SCM_BASE: 'HEAD' })
    expect(none.code).toBe(0)
    expect(taken(none, 'smoke')).toBeUndefined()
    await changed(
      'packages/greeting/src/index.ts',
      (text) => `${text}// affected\n`,
      async () => {
        expect(taken(await turbo(['smoke', '--affected'], { TURBO_SCM_BASE: 'HEAD' }), 'smoke')).toBe('miss')
      },
    )
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('leaves nothing when turbo gets %s', async (signal) => {
    const marker = `turbo-${signal}-${randomBytes(6).toString('hex')}`
    const worlds = await mkdtemp(join(folder, 'worlds-'))
    const hangs = (text: string) =>
      JSON.stringify({
        ...(JSON.parse(text) as object),
        env: { MARKER: marker },
        tempDirParent: worlds,
        timeout: 60_000,
        graceMs: 100,
      })
    await changed(`${APP}/smoke.config.json`, hangs, () =>
      changed(`${APP}/src/bin.ts`, hang, async () => {
        const { ended } = start(['npx', 'turbo', 'run', 'smoke'], workspace)
        await waitFor('the bin to run', () => processesWith(marker).length > 0, { deadlineMs: 30_000 })
        const [pid] = processesWith(workspace)
          .filter(({ command }) => /(?:^|\/)turbo run smoke/.test(command) && !command.includes('node '))
          .map((found) => found.pid)
        process.kill(pid ?? NaN, signal)
        await ended
        await assertNothingLeft(marker, worlds, 10_000)
      }),
    )
  })

  it('takes what another clone ran from a remote cache, with its reports', async () => {
    await using cache = await startRemoteCache(join(folder, 'remote'))
    const ran = await turbo(['smoke', '--force'], cache.env)
    expect(ran.code).toBe(0)
    const clone = join(folder, 'a clone')
    await cp(workspace, clone, { recursive: true, verbatimSymlinks: true })
    for (const left of ['.turbo', `${APP}/.smoke`, `${APP}/.turbo`, 'node_modules/.cache'])
      await rm(join(clone, left), { recursive: true, force: true })
    const taking = await turbo(['smoke'], cache.env, clone)
    expect(taken(taking, 'smoke')).toBe('hit')
    const [here, there] = await Promise.all(
      [workspace, clone].map((root) => readFile(join(root, APP, '.smoke/src/report.json'), 'utf8')),
    )
    expect(
      createHash('sha256')
        .update(there ?? '')
        .digest('hex'),
    ).toBe(
      createHash('sha256')
        .update(here ?? '')
        .digest('hex'),
    )
  })
})

interface RemoteCache extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>
}

/** The real server of `turborepo-remote-cache`, on loopback, with its files in `storage`. */
async function startRemoteCache(storage: string): Promise<RemoteCache> {
  await mkdir(storage, { recursive: true })
  const port = await freePort()
  const require = createRequire(join(ROOT, 'packages/cli/package.json'))
  const manifest = require.resolve('turborepo-remote-cache/package.json')
  const bin = join(
    manifest,
    '..',
    (require(manifest) as { bin: Record<string, string> }).bin['turborepo-remote-cache'] ?? '',
  )
  const server = spawn(process.execPath, [bin], {
    env: userEnvironment({
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      TURBO_TOKEN: 'a-token',
      STORAGE_PROVIDER: 'local',
      STORAGE_PATH: storage,
      LOG_LEVEL: 'error',
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const gone = once(server, 'close')
  await waitFor(
    'the remote cache to listen',
    async () =>
      (await fetch(`http://127.0.0.1:${port}/v8/artifacts/status`, { headers: { authorization: 'Bearer a-token' } }))
        .ok,
    { deadlineMs: 30_000 },
  )
  return {
    env: { TURBO_API: `http://127.0.0.1:${port}`, TURBO_TOKEN: 'a-token', TURBO_TEAM: 'team_test' },
    async [Symbol.asyncDispose]() {
      server.kill('SIGKILL')
      await gone
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  server.close()
  await once(server, 'close')
  return port
}
