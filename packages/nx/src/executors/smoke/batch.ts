/** The batch of `@loader-smoke/nx:smoke`: many smokes in one process of Nx, so that each costs its boot and not a start of Nx. No top-level await here either. */
import { availableParallelism } from 'node:os'
import type { ExecutorContext, NxJsonConfiguration, TaskGraph } from '@nx/devkit'
import type { GivenOptions } from '../../declared/names.ts'
import { paintFor } from './lines.ts'
import { inPool } from './pool.ts'
import { runTask } from './run-task.ts'
import { taskEnvironment } from './task-environment.ts'

/** One task that has ended, as Nx takes it from a batch. */
export interface BatchResult {
  readonly task: string
  readonly result: {
    readonly success: boolean
    readonly terminalOutput: string
    readonly startTime: number
    readonly endTime: number
  }
}

/** Runs every task of the graph and gives each result as soon as it is there. An error of ours fails the task it came in, and no other. */
export default async function* smokeBatch(
  taskGraph: TaskGraph,
  options: Readonly<Record<string, GivenOptions>>,
  _overrides: unknown,
  context: ExecutorContext,
): AsyncGenerator<BatchResult> {
  const runs = Object.keys(taskGraph.tasks).map((id) => () => runOne(id, taskGraph, options[id] ?? {}, context))
  yield* inPool(runs, parallelism(process.env, context.nxJsonConfiguration))
}

async function runOne(
  id: string,
  taskGraph: TaskGraph,
  options: GivenOptions,
  context: ExecutorContext,
): Promise<BatchResult> {
  const startTime = Date.now()
  const lines: string[] = []
  let success = false
  try {
    const target = taskGraph.tasks[id]?.target
    if (target === undefined) throw new Error(`Nx gave the batch no task ${id}.`)
    const { project: projectName, target: targetName, configuration: configurationName } = target
    const projectRoot = context.projectsConfigurations.projects[projectName]?.root ?? '.'
    const environment = taskEnvironment(process.env, context.root, projectRoot, targetName, configurationName)
    const task = { projectName, targetName, configurationName, options }
    const reporting = {
      print: (line: string) => lines.push(line),
      paint: paintFor(process.env, process.stdout.isTTY),
      sideBySide: Object.keys(taskGraph.tasks).length > 1,
    }
    success = await runTask(task, context, environment, reporting)
  } catch (error) {
    // Whatever it is, it is this task's: the others of the batch go on.
    lines.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  return { task: id, result: { success, terminalOutput: `${lines.join('\n')}\n`, startTime, endTime: Date.now() } }
}

/** How many smokes run side by side: what the workspace says Nx should, else one for each core. Nx doesn't tell a batch of `--parallel`; NX_PARALLEL is seen. */
export function parallelism(
  env: Readonly<Record<string, string | undefined>>,
  { parallel }: Pick<NxJsonConfiguration, 'parallel'>,
  cores: number = availableParallelism(),
): number {
  const said = env['NX_PARALLEL'] ?? parallel
  const count =
    typeof said === 'string' && said.endsWith('%')
      ? Math.round((Number(said.slice(0, -1)) / 100) * cores)
      : Number(said ?? cores)
  return Number.isFinite(count) && count >= 1 ? Math.floor(count) : cores
}
