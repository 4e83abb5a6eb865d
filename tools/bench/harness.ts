/**
 * What a smoke costs beside its bin: against a bare `spawn` of the same command, against the peer on the same fixture, and to import.
 * The fixture is a bin of one line, so that nothing but the harness is measured; the imports are of built files, as users have them.
 */
import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as peer from '@deepseek-ai/dsh-loader-smoke'
import { resolveExampleLaunch, runLoaderSmoke } from '@loader-smoke/harness'
import { tempWorkspace } from '@loader-smoke/testkit'
import { measurePair, type Pair, type Row, timeOf } from '../measure/paired.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const runs = { lib: 30, src: 15, import: 15 }

/** One row after another, as they are measured. */
export async function* rows(): AsyncGenerator<Row> {
  await using app = await tempWorkspace({
    'package.json': '{"type":"module"}',
    'tsconfig.json': '{}',
    'src/bin.ts': "const said: string = 'done'\nconsole.log(said)\n",
    'lib/bin.js': "console.log('done')\n",
  })
  for (const mode of ['lib', 'src'] as const) {
    const options = {
      label: 'bench',
      tempDirPrefix: 'loader-smoke-bench-',
      binScript: app.file('src/bin.ts'),
      configPath: app.file('cordis.yml'),
      tsconfigPath: app.file('tsconfig.json'),
      mode,
    }
    const ours = () => timeOf(() => runLoaderSmoke(options))
    const bare = () => timeOf(() => spawnBare(options.binScript, options.tsconfigPath, mode))
    yield measurePair({ bench: `a smoke over a bare spawn, ${mode}`, unit: 'ms', ours, other: bare }, runs[mode])
    const theirs = () => timeOf(() => peer.runLoaderSmoke(options))
    yield measurePair({ bench: `a smoke over the peer's, ${mode}`, unit: 'ms', ours, other: theirs }, runs[mode])
  }
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', join(root, 'packages/harness')])
  yield measurePair(importPair(), runs.import)
}

function importPair(): Pair {
  const built = pathToFileURL(join(root, 'packages/harness/lib/index.js')).href
  return {
    bench: "an import over the peer's",
    unit: 'ms cpu',
    ours: () => importCost(built),
    other: () => importCost('@deepseek-ai/dsh-loader-smoke'),
  }
}

/** CPU time, user and system, that a fresh Node spends on importing `specifier`, in milliseconds. */
async function importCost(specifier: string): Promise<number> {
  const program = `
    const before = process.cpuUsage()
    await import(${JSON.stringify(specifier)})
    const { user, system } = process.cpuUsage(before)
    console.log((user + system) / 1000)`
  const { NODE_OPTIONS: _, ...env } = process.env
  return Number(
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: root, env, encoding: 'utf8' }),
  )
}

async function spawnBare(srcBin: string, tsconfigPath: string, mode: 'src' | 'lib'): Promise<void> {
  const { command, args, env } = resolveExampleLaunch({ srcBin, tsconfigPath, mode })
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.resume()
  child.stderr.resume()
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject))
}
