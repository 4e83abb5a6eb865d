/** One task from its options to its outcome: everything the executor and the batch have in common. */
import { existsSync } from 'node:fs'
import type { ExecutorContext } from '@nx/devkit'
import { EXAMPLE_MODE_ENV, OptionError, runLoaderSmoke, SmokeError } from '@loader-smoke/harness'
import type { GivenOptions } from '../../declared/names.ts'
import { agreedMode } from './agreed-mode.ts'
import { type BuildingTargets, checkFiles } from './check-files.ts'
import { failLine, type Paint, passLines, startLines } from './lines.ts'
import { modelService } from './model-service.ts'
import { rerunCommand } from './rerun.ts'
import { type TaskPlace, toRunOptions } from './run-options.ts'

/** A task of this executor. */
export interface SmokeTask {
  readonly projectName: string
  readonly targetName: string
  readonly configurationName?: string | undefined
  readonly options: GivenOptions
}

/** Where the lines of a task go, each without its line break. */
export type Print = (line: string) => void

/**
 * Runs a smoke and prints what ran, and what came of it. Resolves with whether it passed; a failure's whole reason has been printed by then.
 * Rejects only for an error that is neither the fixture's nor the caller's.
 */
export async function runTask(task: SmokeTask, context: ExecutorContext, print: Print, paint: Paint): Promise<boolean> {
  const label = `${task.projectName}:${task.targetName}`
  try {
    const place = placeOf(task, context)
    const run = toRunOptions(task.options, place, process.env, existsSync)
    const mode = agreedMode({ ...run, environment: process.env[EXAMPLE_MODE_ENV] })
    checkFiles(run, mode, place, buildingTargets(task, context))
    for (const line of startLines(run, mode, context.root, paint)) print(line)
    const result = await runLoaderSmoke({
      ...run.harness,
      mode,
      services: run.modelScript === undefined ? [] : [modelService(run.modelScript)],
      rerun: rerunCommand(context.root, {
        id: taskId(task),
        overrides: overridesOf(task, context),
        mode,
        inferred: run.mode === run.inferredMode,
      }),
    })
    for (const line of passLines(run.harness.label, result, paint)) print(line)
    return true
  } catch (error) {
    if (!(error instanceof SmokeError) && !(error instanceof OptionError)) throw error
    print(failLine(label, paint))
    print(error.message)
    return false
  }
}

function placeOf({ projectName, targetName }: SmokeTask, context: ExecutorContext): TaskPlace {
  const project = context.projectsConfigurations.projects[projectName]
  if (project === undefined) throw new Error(`Nx ran ${projectName}:${targetName} and knows no project ${projectName}.`)
  return { workspaceRoot: context.root, projectRoot: project.root, projectName, targetName }
}

function buildingTargets({ projectName, targetName, options }: SmokeTask, context: ExecutorContext): BuildingTargets {
  const targets = context.projectsConfigurations.projects[projectName]?.targets ?? {}
  const twin = `${targetName}-ci`
  const dependsOn = targets[twin]?.dependsOn ?? targets[targetName]?.dependsOn ?? []
  const build = dependsOn
    .map((entry) => (typeof entry === 'string' ? entry : entry.target))
    .find((name) => !name.startsWith('^'))
  const id = taskId({ projectName, targetName, options })
  const before = context.taskGraph?.dependencies[id] ?? []
  return {
    twin: twin in targets ? twin : null,
    build: build ?? 'build',
    built: before.some((edge) => edge.id === `${projectName}:${build ?? 'build'}`),
  }
}

function overridesOf(task: SmokeTask, context: ExecutorContext): string[] {
  const overrides: unknown = context.taskGraph?.tasks[taskId(task)]?.overrides['__overrides_unparsed__']
  return Array.isArray(overrides) ? overrides.map(String) : []
}

function taskId({ projectName, targetName, configurationName }: SmokeTask): string {
  return [projectName, targetName, configurationName].filter((part) => part !== undefined).join(':')
}
