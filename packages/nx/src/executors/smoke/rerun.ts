/** The command that runs the same task again. Pure but for the lockfile it looks for. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EXAMPLE_MODE_ENV, type ExampleMode, type RerunCommand } from '@loader-smoke/harness'

/** A task as Nx ran it. */
export interface RanTask {
  readonly id: string
  /** What was written behind the task on the command line, as it was written. */
  readonly overrides: readonly string[]
  readonly mode: ExampleMode
  /** The mode came from the environment. */
  readonly inferred: boolean
}

/** `nx run <task> <overrides>` with the workspace's package manager, in the mode it ran in and past the cache of Nx. */
export function rerunCommand(workspaceRoot: string, task: RanTask): RerunCommand {
  const argv = [...execPrefix(workspaceRoot), 'nx', 'run', task.id, ...task.overrides]
  return task.inferred && task.mode === 'lib' ? { argv, env: { [EXAMPLE_MODE_ENV]: task.mode } } : { argv }
}

function execPrefix(workspaceRoot: string): string[] {
  const has = (name: string) => existsSync(join(workspaceRoot, name))
  if (has('pnpm-lock.yaml')) return ['pnpm', 'exec']
  if (has('yarn.lock')) return ['yarn']
  if (has('bun.lock') || has('bun.lockb')) return ['bunx']
  return ['npx']
}
