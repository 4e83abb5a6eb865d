/** One task from its options to its outcome: everything the executor and the batch have in common. */
import { existsSync } from 'node:fs'
import type { ExecutorContext } from '@nx/devkit'
import { EXAMPLE_MODE_ENV, OptionError, runLoaderSmoke, SmokeError } from '@loader-smoke/harness'
import { modelService } from '@loader-smoke/model-replay'
import { type GivenOptions, withoutAliases } from '../../declared/names.ts'
import { agreedMode } from './agreed-mode.ts'
import { type BuildingTargets, checkFiles } from './check-files.ts'
import { fixtureRuns } from './fixture-runs.ts'
import { failLine, type Paint, passLines, startLines, summaryLine } from './lines.ts'
import { rerunCommand } from './rerun.ts'
import { type RunOptions, type TaskPlace, toRunOptions } from './run-options.ts'

/** A task of this executor. */
export interface SmokeTask {
  readonly projectName: string
  readonly targetName: string
  readonly configurationName?: string | undefined
  readonly options: GivenOptions
}

/** How a task is reported: each line without its line break. */
export interface Reporting {
  readonly print: (line: string) => void
  readonly paint: Paint
}

/**
 * Runs the smokes of a task and prints what ran, and what came of it. Resolves with whether all passed; a failure's whole reason has been printed by then.
 * Rejects only for an error that is neither the fixture's nor the caller's.
 */
export async function runTask(
  task: SmokeTask,
  context: ExecutorContext,
  { print, paint }: Reporting,
): Promise<boolean> {
  const place = placeOf(task, context)
  const runs = await reported(`${task.projectName}:${task.targetName}`, { print, paint }, () =>
    runsOf(task.options, place),
  )
  if (runs === null) return false
  let passed = 0
  for (const run of runs)
    if (
      (await reported(run.harness.label, { print, paint }, () =>
        runOne(run, task, place, context, { print, paint }),
      )) !== null
    )
      passed += 1
  if (runs.length > 1) print(summaryLine(passed, runs.length, paint))
  return passed === runs.length
}

async function runsOf(options: GivenOptions, place: TaskPlace): Promise<RunOptions[]> {
  return 'smokeConfig' in withoutAliases(options)
    ? fixtureRuns(options, place, process.env)
    : [toRunOptions(options, place, process.env, existsSync)]
}

async function runOne(
  run: RunOptions,
  task: SmokeTask,
  place: TaskPlace,
  context: ExecutorContext,
  { print, paint }: Reporting,
): Promise<true> {
  const mode = agreedMode({ ...run, environment: process.env[EXAMPLE_MODE_ENV] })
  checkFiles(run, mode, place, buildingTargets(task, context))
  for (const line of startLines(run, mode, context.root, paint)) print(line)
  const { services = [], ...options } = run.harness
  const result = await runLoaderSmoke({
    ...options,
    mode,
    services: run.modelScript === undefined ? services : [...services, modelService({ script: run.modelScript })],
    rerun: rerunCommand(context.root, {
      id: taskId(task),
      overrides: overridesOf(task, context),
      mode,
      inferred: run.mode !== undefined && run.mode === run.inferredMode,
    }),
  })
  for (const line of passLines(options.label, result, paint)) print(line)
  return true
}

/** What `act` gives, or null after the reason of its failure was printed. */
async function reported<T>(label: string, { print, paint }: Reporting, act: () => Promise<T>): Promise<T | null> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof SmokeError) && !(error instanceof OptionError)) throw error
    print(failLine(label, paint))
    print(error.message)
    return null
  }
}

function placeOf({ projectName, targetName }: SmokeTask, context: ExecutorContext): TaskPlace {
  const project = context.projectsConfigurations.projects[projectName]
  if (project === undefined) throw new Error(`Nx ran ${projectName}:${targetName} and knows no project ${projectName}.`)
  return { workspaceRoot: context.root, projectRoot: project.root, projectName, targetName }
}

function buildingTargets(task: SmokeTask, context: ExecutorContext): BuildingTargets {
  const { projectName, targetName } = task
  const targets = context.projectsConfigurations.projects[projectName]?.targets ?? {}
  const twin = `${targetName}-ci`
  const dependsOn = targets[twin]?.dependsOn ?? targets[targetName]?.dependsOn ?? []
  const named = dependsOn.map((entry) => (typeof entry === 'string' ? entry : entry.target))
  // A target for several fixtures depends on one target for each, which have `build` in turn.
  const build = named.find((name) => !name.startsWith('^') && !name.startsWith(`${twin}--`)) ?? 'build'
  const before = context.taskGraph?.dependencies[taskId(task)] ?? []
  return {
    twin: twin in targets ? twin : null,
    build,
    built: before.some((edge) => edge.id === `${projectName}:${build}`),
  }
}

function overridesOf(task: SmokeTask, context: ExecutorContext): string[] {
  const overrides: unknown = context.taskGraph?.tasks[taskId(task)]?.overrides['__overrides_unparsed__']
  return Array.isArray(overrides) ? overrides.map(String) : []
}

function taskId({ projectName, targetName, configurationName }: SmokeTask): string {
  return [projectName, targetName, configurationName].filter((part) => part !== undefined).join(':')
}
