/**
 * What the program `loader-smoke` costs: 20 smokes of the real example app, built, against the same bins spawned barely at the same
 * parallelism; and its start against an empty Node. Built files, as users have them.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempWorkspace } from '@loader-smoke/testkit'
import { measurePair, type Row, timeOf } from '../measure/paired.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = join(root, 'packages/cli/lib/bin.js')
const app = join(root, 'packages/examples/agent')
const FIXTURES = 20
const JOBS = 2

/** One row after another, as they are measured. */
export async function* rows(): AsyncGenerator<Row> {
  const folders = ['packages/cli', 'packages/examples/agent'].map((folder) => join(root, folder))
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', ...folders])
  yield measurePair(
    {
      bench: 'cpu of --help over an empty Node',
      unit: 'ms cpu',
      ours: () => cpuOf([program, '--help']),
      other: () => cpuOf(['-e', '0']),
    },
    15,
  )
  const args = [join(app, 'cordis.yml'), 'Write the answer into note.txt and tell me what it says.']
  const fixtures = Array.from({ length: FIXTURES }, (_, index) => ({ label: `smoke ${index + 1}` }))
  const env = { DEEPSEEK_API_KEY: 'keyless' }
  await using folder = await tempWorkspace({
    'smoke.config.json': JSON.stringify({ bin: join(app, 'src/bin.ts'), args, env, fixtures }),
  })
  const ours = () => timeOf(() => run([program, 'run', '--mode', 'lib', '--jobs', String(JOBS)], folder.path))
  const bare = () => timeOf(() => runBare([join(app, 'lib/bin.js'), ...args]))
  yield measurePair(
    { bench: `${FIXTURES} smokes over bare spawns, ${JOBS} at a time`, unit: 'ms', ours, other: bare },
    5,
  )
}

/** The same bins as the program runs, each in a folder with homes of its own, and nothing else. */
async function runBare(words: readonly string[]): Promise<void> {
  let left = FIXTURES
  const worker = async () => {
    while (left-- > 0) {
      await using world = await tempWorkspace()
      await run(words, world.path, {
        DEEPSEEK_API_KEY: 'keyless',
        DSH_HOME: world.file('.dsh'),
        DSH_AGENTS_HOME: world.file('.agents'),
      })
    }
  }
  await Promise.all(Array.from({ length: JOBS }, worker))
}

async function run(words: readonly string[], cwd: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const child = spawn(process.execPath, words, {
    cwd,
    env: { ...plainEnvironment(), ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}:\n${output}`)
}

/** CPU time, user and system, of a whole Node process, in milliseconds: read by the process itself as it exits. */
async function cpuOf(words: readonly string[]): Promise<number> {
  const hook =
    "process.on('exit', () => { const { user, system } = process.cpuUsage(); require('fs').writeSync(2, String((user + system) / 1000)) })"
  await using folder = await tempWorkspace({ 'hook.cjs': hook })
  const child = spawn(process.execPath, ['--require', folder.file('hook.cjs'), ...words], {
    env: plainEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let told = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (told += text))
  await once(child, 'close')
  return Number(told)
}

/** Without what makes Node load this repository's sources. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, DSH_EXAMPLE_MODE: __, ...env } = process.env
  return env
}
