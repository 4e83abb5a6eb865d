/** A workspace like this repository, small and of a test's own: the plugin and what it runs on as unbuilt source, every other package linked from here. */
import { spawn } from 'node:child_process'
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type TempWorkspace, tempWorkspace } from '@loader-smoke/testkit'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
/** A folder in which another version of Nx was installed (`npm install nx@… @nx/devkit@…`): with it, every spec runs on that one. */
const otherNx = process.env['LOADER_SMOKE_TEST_NX']
const OWN_PACKAGES = ['nx', 'harness', 'model-replay', 'turn']

/** What one call of `nx` did. */
export interface NxRun {
  readonly exitCode: number | null
  /** Both streams as one text, without colours. */
  readonly output: string
}

/** A scratch workspace; `await using` stops its daemon and removes it. */
export interface Scratch extends TempWorkspace {
  /** Runs the workspace's own `nx`, in its folder `from`. The daemon is off unless `env` turns it on. */
  nx(args: readonly string[], env?: Readonly<Record<string, string | undefined>>, from?: string): Promise<NxRun>
  /** Which apps were really booted, and in which mode: the lines of `runs.log`, a file beside the workspace that apps append to. */
  booted(): Promise<{ readonly app: string; readonly mode: string }[]>
  /** The modes alone. */
  boots(): Promise<string[]>
}

/**
 * Makes a scratch workspace with `files` in it, over the ones it has anyway.
 * @param folder its name below the temporary folder.
 * @param sources where the plugin and what it runs on are copied from: this repository, or a workspace that must be equal to the new one.
 */
export async function scratch(
  files: Readonly<Record<string, string>> = {},
  folder = 'workspace',
  sources: string = repository,
): Promise<Scratch> {
  const temp = await tempWorkspace({}, 'loader-smoke-nx-')
  const root = temp.file(folder)
  await mkdir(root, { recursive: true })
  await linkPackages(root, sources)
  const base: Record<string, string> = {
    'nx.json': json({
      cacheDirectory: '.nx/cache',
      neverConnectToCloud: true,
      analytics: false,
      plugins: ['@loader-smoke/nx'],
    }),
    'package.json': json({ name: 'scratch', private: true, type: 'module', workspaces: ['packages/*'] }),
    'tsconfig.base.json': await readFile(join(repository, 'tsconfig.base.json'), 'utf8'),
    '.gitignore': 'node_modules\n.nx\n.smoke\nlib\nbuild\nlocal\n',
    ...files,
  }
  for (const [name, content] of Object.entries(base)) await temp.write(join(folder, name), content)
  let daemon = false
  const nx: Scratch['nx'] = async (args, env = {}, from = '.') => {
    daemon ||= env['NX_DAEMON'] === 'true'
    return startNx(root, args, env, join(root, from)).ended
  }
  const booted = async () => {
    const log = await readFile(temp.file('runs.log'), 'utf8').catch(() => '')
    const lines = log.split('\n').filter((line) => line !== '')
    return lines.map((line) => line.split(' ')).map(([name = '', mode = '']) => ({ app: name, mode }))
  }
  return {
    path: root,
    file: (...parts) => join(root, ...parts),
    read: (name) => readFile(join(root, name), 'utf8'),
    write: (name, content) => temp.write(join(folder, name), content),
    nx,
    booted,
    boots: async () => (await booted()).map(({ mode }) => mode),
    async [Symbol.asyncDispose]() {
      if (daemon) await startNx(root, ['daemon', '--stop'], { NX_DAEMON: 'true' }).ended
      await temp[Symbol.asyncDispose]()
    },
  }
}

/** JSON as it is written into files. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

async function linkPackages(root: string, sources: string): Promise<void> {
  await mkdir(join(root, 'node_modules', '@loader-smoke'), { recursive: true })
  for (const entry of await readdir(join(repository, 'node_modules'))) {
    if (entry === '@loader-smoke' || entry === '.cache') continue
    const from = otherNx !== undefined && (entry === 'nx' || entry === '@nx') ? otherNx : repository
    await symlink(join(from, 'node_modules', entry), join(root, 'node_modules', entry))
  }
  for (const name of OWN_PACKAGES) {
    const to = join(root, 'packages', name)
    await mkdir(to, { recursive: true })
    for (const part of await readdir(join(sources, 'packages', name)))
      if (part === 'src' || part.endsWith('.json'))
        await cp(join(sources, 'packages', name, part), join(to, part), { recursive: true })
    await symlink(join('..', '..', 'packages', name), join(root, 'node_modules', '@loader-smoke', name))
  }
}

/** A call of `nx` that runs. */
export interface StartedNx {
  readonly pid: number
  /** What it wrote so far, both streams, without colours. */
  readonly output: () => string
  readonly ended: Promise<NxRun>
}

/** Starts the `nx` of the workspace at `root`, with nothing of this process' own Nx, CI or colours in its environment. */
export function startNx(
  root: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  cwd: string = root,
): StartedNx {
  const own = /^(?:NX_|DSH_|LOADER_SMOKE_|FORCE_COLOR|CI$|NO_COLOR|VITEST|GITHUB_)/
  const inherited = Object.entries(process.env).filter(([name]) => !own.test(name))
  const child = spawn(process.execPath, [join(root, 'node_modules/nx/dist/bin/nx.js'), ...args], {
    cwd,
    env: {
      ...Object.fromEntries(inherited),
      NODE_OPTIONS: '--conditions=@loader-smoke/source',
      NX_DAEMON: 'false',
      NX_TUI: 'false',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
    killSignal: 'SIGKILL',
  })
  let raw = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (raw += text))
  // oxlint-disable-next-line no-control-regex -- colours begin with a control character
  const output = () => raw.replace(/\u001B\[[\d;]*m/g, '')
  const ended = new Promise<NxRun>((resolve, reject) =>
    child.on('error', reject).on('close', (exitCode) => resolve({ exitCode, output: output() })),
  )
  return { pid: child.pid ?? 0, output, ended }
}
