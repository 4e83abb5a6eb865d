/** One task from its options to its outcome: everything the executor and the batch have in common. */
import { existsSync } from 'node:fs'
import type { ExecutorContext } from '@nx/devkit'
import {
  EXAMPLE_MODE_ENV,
  type ExampleMode,
  type LoaderSmokeOptions,
  OptionError,
  recordSmoke,
  type SmokeRecord,
} from '@loader-smoke/harness'
import { checkModel, modelService } from '@loader-smoke/model-replay'
import { unusableModel, type WrittenNames } from '@loader-smoke/harness/config'
import { type GivenOptions, withoutAliases } from '../../declared/names.ts'
import { writtenNames } from '../../declared/written-names.ts'
import { refusedNxVersion } from '../../nx-version.ts'
import { agreedMode } from './agreed-mode.ts'
import { type BuildingTargets, checkFiles } from './check-files.ts'
import { fixtureRuns } from './fixture-runs.ts'
import { endLines, fullLabel, type Paint, refusedLines, startLines, summaryLine } from './lines.ts'
import { clearReports, writeReports } from './report-files.ts'
import { rerunCommand } from './rerun.ts'
import { type RunOptions, type TaskPlace, toRunOptions, wantsStream } from './run-options.ts'
import { streamed } from './stream.ts'

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
  /** Smokes of other tasks run in this process too: a line that is shown while they do says whose it is. */
  readonly sideBySide: boolean
}

/**
 * Runs the smokes of a task and prints what ran, and what came of it. Resolves with whether all passed; a failure's whole reason has been printed by then.
 * Rejects only for an error that is neither the fixture's nor the caller's.
 * @param environment the task's own, with the `.env` files that are meant for it.
 */
export async function runTask(
  task: SmokeTask,
  context: ExecutorContext,
  environment: Readonly<Record<string, string | undefined>>,
  { print, paint, sideBySide }: Reporting,
): Promise<boolean> {
  const place = placeOf(task, context)
  const startedAtMs = Date.now()
  const smokes: SmokeRecord[] = []
  let label = `${task.projectName}:${task.targetName}`
  let all = 1
  let refused = 0
  clearReports(place)
  try {
    const refusal = refusedNxVersion()
    if (refusal !== null) throw new OptionError('nx', refusal)
    const { stream, ...given } = givenOptions(task, context)
    const names = namesOf(task, context)
    const toBeSeen = wantsStream(stream, names)
    const runs = await runsOf(given, place, environment, names)
    all = runs.length
    for (const run of runs) {
      label = run.harness.label
      const mode = agreedMode({ ...run, environment: environment[EXAMPLE_MODE_ENV] })
      checkFiles(run, mode, place, buildingTargets(task, context))
      await requireModel(run)
      for (const line of startLines(run, mode, context.root, paint)) print(line)
      const options = harnessOptions(run, mode, task, context)
      const whose = sideBySide ? fullLabel(label, task.projectName) : ''
      const shown = toBeSeen ? streamed(options, whose, paint) : null
      const smoke = await recordSmoke(shown?.options ?? options, context.root, run.names)
      shown?.end()
      for (const line of endLines(smoke, paint)) print(line)
      smokes.push(smoke)
    }
  } catch (error) {
    if (!(error instanceof OptionError)) throw error
    refused = 1
    for (const line of refusedLines(label, error.message, paint)) print(line)
  }
  if (smokes.length > 0) writeReports(place, smokes, startedAtMs)
  const passed = smokes.filter(({ verdict }) => verdict === 'pass').length
  if (all > 1) print(summaryLine(passed, all, paint))
  return refused === 0 && passed === all
}

/** The task's options. Arguments of the command line replace the task of the target, which is one of the default arguments. */
function givenOptions(task: SmokeTask, context: ExecutorContext): GivenOptions {
  const options = withoutAliases(task.options)
  const said = withoutAliases(context.taskGraph?.tasks[taskId(task)]?.overrides ?? {})
  if (said['binArgs'] === undefined || said['task'] !== undefined) return options
  const { task: _task, ...others } = options
  return others
}

async function runsOf(
  options: GivenOptions,
  place: TaskPlace,
  environment: Readonly<Record<string, string | undefined>>,
  names: WrittenNames,
): Promise<RunOptions[]> {
  return 'smokeConfig' in options
    ? fixtureRuns(options, place, environment, names)
    : [toRunOptions(options, place, environment, existsSync, names)]
}

/** Where Nx took the options from, the strongest first. */
function namesOf(task: SmokeTask, context: ExecutorContext): WrittenNames {
  const { projectName, targetName, configurationName = '' } = task
  const target = context.projectsConfigurations.projects[projectName]?.targets?.[targetName]
  const place = `${projectName}:${targetName}`
  return writtenNames([
    { given: context.taskGraph?.tasks[taskId(task)]?.overrides, prefix: '--', place: '' },
    { given: target?.configurations?.[configurationName], prefix: '', place: `${place}:${configurationName}` },
    { given: target?.options, prefix: '', place },
  ])
}

/** @throws OptionError for a script or a recording that its server can't use. */
async function requireModel({ model, names }: RunOptions): Promise<void> {
  if (model === undefined) return
  await checkModel(model).catch((error: unknown) => {
    throw unusableModel(model, error, names)
  })
}

function harnessOptions(
  run: RunOptions,
  mode: ExampleMode,
  task: SmokeTask,
  context: ExecutorContext,
): LoaderSmokeOptions {
  const { services = [], ...options } = run.harness
  return {
    ...options,
    mode,
    services: run.model === undefined ? services : [...services, modelService(run.model)],
    rerun: rerunCommand(context.root, {
      id: taskId(task),
      overrides: overridesOf(task, context),
      mode,
      inferred: run.mode !== undefined && run.mode === run.inferredMode,
    }),
  } as LoaderSmokeOptions
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
    hasBuild: build in targets,
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
