/** Under turbo: refuses to run as a cached task whose key leaves out what the run depends on. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { EXAMPLE_MODE_ENV } from '@loader-smoke/harness'
import type { PlannedSmoke } from '../run/plan.ts'
import type { Flags } from '../usage/parse.ts'
import { UsageError } from '../usage/usage-error.ts'
import { judgeTask, type Needs, reachOf } from './judge-task.ts'
import { readTurbo } from './read-turbo.ts'

/** What is needed of package.json. */
interface Manifest {
  readonly name?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/**
 * Does nothing outside of turbo (it sets TURBO_HASH for its tasks).
 * @throws UsageError naming each thing that the task must declare, and where to write it.
 */
export function checkTurbo(
  planned: readonly PlannedSmoke[],
  flags: Flags,
  folder: string,
  env: NodeJS.ProcessEnv,
): void {
  if ((env['TURBO_HASH'] ?? '') === '') return
  // Package managers set it to the name of the script that they run; turbo runs scripts through them.
  const name = env['npm_lifecycle_event'] ?? 'smoke'
  const manifest = readManifest(folder)
  const turbo = readTurbo(folder, manifest.name)
  const task = turbo?.task(name)
  if (turbo === null || task === undefined) return
  const problems = judgeTask(
    name,
    task,
    needsOf(planned, flags, folder, turbo.root, manifest),
    reachOf(name, turbo.tasks),
  )
  if (problems.length === 0) return
  throw new UsageError(
    [
      `turbo would cache the task "${name}" under a key that misses what it depends on.`,
      ...problems.map((problem) => `Next: ${problem}`),
    ].join('\n'),
  )
}

function needsOf(
  planned: readonly PlannedSmoke[],
  flags: Flags,
  folder: string,
  root: string,
  manifest: Manifest,
): Needs {
  const env = new Set<string>()
  const outside = new Set<string>()
  const inside = new Set<string>()
  for (const { options, modeFrom, passEnv, reads } of planned) {
    if (modeFrom === 'environment') env.add(EXAMPLE_MODE_ENV)
    for (const name of passEnv) env.add(name)
    for (const file of [...reads, ...tsconfigChain(options.mode === 'src' ? options.tsconfigPath : undefined)]) {
      const [fromRoot, fromFolder] = [root, folder].map((base) => relative(base, file).replaceAll(sep, '/')) as [
        string,
        string,
      ]
      if (!fromFolder.startsWith('..')) inside.add(fromFolder)
      else if (!fromRoot.startsWith('..')) outside.add(fromRoot)
    }
  }
  const output = relative(folder, resolve(folder, String(flags['output'] ?? '.smoke'))).replaceAll(sep, '/')
  return {
    env: [...env],
    outside: [...outside],
    inside: [...inside],
    built: planned.some(({ mode }) => mode === 'lib'),
    workspacePackages: planned.some(({ mode }) => mode === 'src') ? workspacePackages(folder, manifest) : [],
    output: output.startsWith('..') ? null : output,
  }
}

/** The project and what it extends by a relative path; what comes from a package is in the lockfile. */
function tsconfigChain(file: string | undefined): string[] {
  const chain: string[] = []
  const open = file === undefined ? [] : [file]
  for (let at = open.pop(); at !== undefined && !chain.includes(at); at = open.pop()) {
    if (!existsSync(at)) continue
    chain.push(at)
    const named = /"extends"\s*:\s*(\[[^\]]*\]|"[^"]*")/.exec(readFileSync(at, 'utf8'))?.[1] ?? ''
    for (const [, path = ''] of named.matchAll(/"(\.[^"]*)"/g))
      open.push(resolve(dirname(at), path.endsWith('.json') ? path : `${path}.json`))
  }
  return chain
}

/** The dependencies that are links to folders outside of any node_modules. */
function workspacePackages(folder: string, { dependencies, devDependencies }: Manifest): string[] {
  return Object.keys({ ...dependencies, ...devDependencies }).filter((name) => {
    for (let at = folder; ; at = dirname(at)) {
      const place = join(at, 'node_modules', name)
      if (existsSync(place)) return !realpathSync(place).includes(`${sep}node_modules${sep}`)
      if (dirname(at) === at) return false
    }
  })
}

function readManifest(folder: string): Manifest {
  const file = join(folder, 'package.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {}
}
