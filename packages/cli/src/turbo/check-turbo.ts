/** Under turbo: refuses to run as a cached task whose key leaves out what the run depends on. */
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { EXAMPLE_MODE_ENV } from '@loader-smoke/harness'
import type { PlannedSmoke } from '../run/plan.ts'
import type { Flags } from '../usage/parse.ts'
import { UsageError } from '../usage/usage-error.ts'
import { judgeTask, type Needs, reachOf } from './judge-task.ts'
import { readTurbo } from './read-turbo.ts'
import { readsOf } from './reads.ts'

/** What is needed of package.json. */
interface Manifest {
  readonly name?: string
  readonly scripts?: Readonly<Record<string, string>>
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
      `turbo.json does not say all that the task "${name}" depends on: a pass of it could be none for what is there now.`,
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
  for (const { modeFrom, passEnv } of planned) {
    if (modeFrom === 'environment') env.add(EXAMPLE_MODE_ENV)
    for (const name of passEnv) env.add(name)
  }
  const output = relative(folder, resolve(folder, String(flags['output'] ?? '.smoke'))).replaceAll(sep, '/')
  const { inside, outside, workspacePackages, undeclared } = readsOf(planned, folder, root)
  return {
    env: [...env],
    outside,
    inside,
    undeclared,
    built: planned.some(({ mode }) => mode === 'lib'),
    scripts: Object.keys(manifest.scripts ?? {}),
    workspacePackages: planned.some(({ mode }) => mode === 'src') ? workspacePackages : [],
    output: output.startsWith('..') ? null : output,
  }
}

function readManifest(folder: string): Manifest {
  const file = join(folder, 'package.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {}
}
