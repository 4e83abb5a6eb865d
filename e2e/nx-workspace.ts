/** An Nx workspace of a user, in a folder whose name has spaces and letters outside of ASCII. */
import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Registry } from './nx-registry.ts'
import { userEnvironment } from './packed.ts'

const MINUTES = 60_000

/** What a program came to: both streams as one text, without colours. */
export interface Ran {
  readonly code: number | null
  readonly output: string
}

type Environment = Readonly<Record<string, string>>

/** A folder of the user, and what they do in it. */
export interface Workspace {
  readonly root: string
  /** Calls the workspace's own `nx`. */
  tryNx(words: readonly string[], env?: Environment): Promise<Ran>
  /** The same. @throws Error with what was printed, when it does not exit 0. */
  nx(words: readonly string[], env?: Environment): Promise<string>
  /** Runs a program. @throws Error with what was printed, when it does not exit 0. */
  must(command: readonly string[]): Promise<string>
  read(file: string): Promise<string>
  /** Objects are written as JSON. */
  write(files: Readonly<Record<string, unknown>>): Promise<void>
  /** What git sees as changed: nothing is ''. */
  changes(): Promise<string>
  commit(): Promise<string>
}

/** How people install packages. */
export const managers = {
  npm: {
    files: (versions: object) => ({
      'package.json': { name: 'fresh', private: true, workspaces: ['packages/*'], devDependencies: versions },
    }),
    install: ['npm', 'install', '--no-audit', '--no-fund'],
    exec: ['npx'],
    remove: ['npm', 'uninstall', '--no-audit', '--no-fund', '@loader-smoke/nx'],
  },
  pnpm: {
    files: (versions: object) => ({
      'package.json': { name: 'fresh', private: true, devDependencies: versions },
      'pnpm-workspace.yaml': "packages: ['packages/*']\n",
    }),
    install: ['pnpm', 'install'],
    exec: ['pnpm', 'exec'],
    remove: ['pnpm', 'remove', '--workspace-root', '@loader-smoke/nx'],
  },
} as const

/** An agent app's package and its build, which takes the types out of its sources; and a workspace without settings of note. */
export const files = {
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
  'nx.json': {
    // Else Nx keeps one cache for all clones of a repository.
    cacheDirectory: '.nx/cache',
    targetDefaults: { build: { cache: true, outputs: ['{projectRoot}/lib'] } },
    analytics: false,
  },
  '.gitignore': 'node_modules\n.nx\nlib\n',
} as const

/** The workspace at `root`, which need not exist yet. `exec` is how its package manager runs an installed program. */
export function workspaceAt(root: string, exec: readonly string[], registry: Registry): Workspace {
  const run = (command: readonly string[], env: Environment = {}) => call(command, root, { ...registry.env, ...env })
  const must = async (command: readonly string[], env?: Environment) => {
    const { code, output } = await run(command, env)
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${output}`)
    return output
  }
  return {
    root,
    tryNx: (words, env) => run([...exec, 'nx', ...words], env),
    nx: (words, env) => must([...exec, 'nx', ...words], env),
    must: (command) => must(command),
    read: (file) => readFile(join(root, file), 'utf8'),
    async write(written) {
      for (const [name, content] of Object.entries(written)) {
        await mkdir(dirname(join(root, name)), { recursive: true })
        await writeFile(
          join(root, name),
          typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`,
        )
      }
    },
    changes: () => must(['git', 'status', '--short']),
    async commit() {
      await must(['git', 'add', '--all'])
      return must(['git', '-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '--quiet', '-m', 'fresh'])
    },
  }
}

async function call([program = '', ...words]: readonly string[], cwd: string, env: Environment): Promise<Ran> {
  const child = spawn(program, words, {
    cwd,
    env: userEnvironment({ NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true', NO_COLOR: '1', ...env }),
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
