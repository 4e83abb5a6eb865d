/** The Nx executor `@loader-smoke/nx:smoke`. Nx `require()`s this file: no top-level await here or in anything it imports. */
import type { ExecutorContext } from '@nx/devkit'
import type { GivenOptions } from '../../declared/names.ts'
import { paintFor } from './lines.ts'
import { runTask } from './run-task.ts'

/** Runs one smoke as an Nx task. `success` is false when it did not pass; the reason has been printed by then, since Nx prints nothing of its own. */
export default async function smokeExecutor(
  options: GivenOptions,
  context: ExecutorContext,
): Promise<{ success: boolean }> {
  const { projectName, targetName, configurationName } = context
  if (projectName === undefined || targetName === undefined)
    throw new Error(
      'the executor @loader-smoke/nx:smoke runs as a target of a project; run it with `nx run <project>:<target>`.',
    )
  const task = { projectName, targetName, configurationName, options }
  const paint = paintFor(process.env, process.stdout.isTTY)
  const success = await runTask(task, context, process.env, { print, paint, sideBySide: false })
  return { success }
}

function print(line: string): void {
  console.log(line)
}
