/** A fresh Nx workspace, in a folder with a space in its name, that has this repository's packages from a registry: as a user has them. */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Registry, startRegistry } from './nx-registry.ts'
import { userEnvironment } from './packed.ts'

const MINUTES = 60_000
const NX = '24.0.6'
let folder: string
let registry: Registry

interface Ran {
  readonly code: number | null
  readonly output: string
}

/** Runs a program with the registry in its environment. */
async function exec(
  cwd: string,
  [program = '', ...words]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const child = spawn(program, words, {
    cwd,
    env: userEnvironment({
      ...registry.env,
      NX_DAEMON: 'false',
      NX_TUI: 'false',
      NX_NO_CLOUD: 'true',
      NO_COLOR: '1',
      ...env,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 5 * MINUTES,
    killSignal: 'SIGKILL',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  // oxlint-disable-next-line no-control-regex -- colours begin with a control character
  return { code, output: output.replace(/\u001B\[[\d;]*m/g, '') }
}

async function must(cwd: string, command: readonly string[], env?: Readonly<Record<string, string>>): Promise<string> {
  const { code, output } = await exec(cwd, command, env)
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${output}`)
  return output
}

async function write(root: string, files: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`)
  }
}

/** An agent app's package and its build, which takes the types out of its sources. */
const app = {
  'packages/agent/package.json': {
    name: '@fresh/agent',
    version: '1.0.0',
    private: true,
    type: 'module',
    scripts: { build: 'node build.mjs' },
  },
  'packages/agent/build.mjs': `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
mkdirSync('lib', { recursive: true })
writeFileSync('lib/bin.js', stripTypeScriptTypes(readFileSync('src/bin.ts', 'utf8')))
`,
}

const managers = {
  npm: {
    files: {
      'package.json': { name: 'fresh', private: true, workspaces: ['packages/*'], devDependencies: { nx: NX } },
    },
    install: () => ['npm', 'install', '--no-audit', '--no-fund'],
    nx: (...words: string[]) => ['npx', 'nx', ...words],
    remove: ['npm', 'uninstall', '--no-audit', '--no-fund', '@loader-smoke/nx'],
  },
  pnpm: {
    files: {
      'package.json': { name: 'fresh', private: true, devDependencies: { nx: NX } },
      'pnpm-workspace.yaml': "packages: ['packages/*']\n",
    },
    install: () => ['pnpm', 'install'],
    nx: (...words: string[]) => ['pnpm', 'exec', 'nx', ...words],
    remove: null,
  },
} as const

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'loader-smoke-nx-e2e-')))
  registry = await startRegistry(join(folder, 'registry'), ['turn', 'harness', 'model-replay', 'nx'])
}, 10 * MINUTES)

afterAll(async () => {
  await registry?.[Symbol.asyncDispose]()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

describe.each(['npm', 'pnpm'] as const)('a fresh Nx workspace with %s', (name) => {
  it('adds the plugin, generates a smoke, runs it, and replays it', { timeout: 15 * MINUTES }, async () => {
    const manager = managers[name]
    const root = join(folder, `a ${name} workspace`)
    const nx = (...words: string[]) => must(root, manager.nx(...words))
    await write(root, {
      ...manager.files,
      ...app,
      'nx.json': { targetDefaults: { build: { cache: true, outputs: ['{projectRoot}/lib'] } }, analytics: false },
      '.gitignore': 'node_modules\n.nx\nlib\n',
    })
    await must(root, manager.install())
    await must(root, ['git', 'init', '--quiet'])

    await nx('add', '@loader-smoke/nx')
    expect(JSON.parse(await readFile(join(root, 'nx.json'), 'utf8')).plugins).toEqual(['@loader-smoke/nx'])
    expect(await nx('list', '@loader-smoke/nx')).toMatch(/configuration[^]*smoke/)
    const dry = await nx('g', '@loader-smoke/nx:configuration', '@fresh/agent', '--dry-run')
    expect(dry).toContain('CREATE packages/agent/smoke.config.json')
    await nx('g', '@loader-smoke/nx:configuration', '@fresh/agent')
    await must(root, manager.install())
    await must(root, ['git', 'add', '--all'])
    await must(root, ['git', '-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '--quiet', '-m', 'fresh'])

    const target = JSON.parse(await nx('show', 'target', '@fresh/agent:smoke', '--json')) as {
      cache: boolean
      executor: string
    }
    expect(target).toMatchObject({ cache: true, executor: '@loader-smoke/nx:smoke' })
    const first = await nx('run', '@fresh/agent:smoke')
    expect(first).toContain('answer  Hello from the script.')
    expect(await nx('run', '@fresh/agent:smoke')).toContain('read the output from the cache')
    expect(await nx('run', '@fresh/agent:smoke-ci')).toMatch(/passed in .* \(lib\)/)

    expect((await nx('show', 'projects', '--affected', '-t', 'smoke', '--base=HEAD')).trim()).toBe('')
    const script = join(root, 'packages/agent/model-script.yml')
    await writeFile(
      script,
      (await readFile(script, 'utf8')).replace(
        'text: Hello from the script.',
        'error: { status: 401, message: no key }',
      ),
    )
    expect((await nx('show', 'projects', '--affected', '-t', 'smoke', '--base=HEAD')).trim()).toBe('@fresh/agent')
    for (const _ of [1, 2]) {
      const failed = await exec(root, manager.nx('run', '@fresh/agent:smoke'))
      expect(failed.code).toBe(1)
      expect(failed.output).toContain('root agent failed: ')
    }
    await must(root, ['git', 'checkout', '--quiet', '.'])
    expect(await nx('run', '@fresh/agent:smoke')).toContain('read the output from the cache')

    if (manager.remove === null) return
    await must(root, manager.remove)
    await writeFile(join(root, 'nx.json'), '{}\n')
    expect(await nx('show', 'projects')).toContain('@fresh/agent')
  })
})
