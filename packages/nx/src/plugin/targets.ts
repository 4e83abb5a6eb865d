/** From smokes to what Nx is told about them: caching, inputs, outputs, dependencies, and the runs on built output for CI. Pure. */
import type { TargetConfiguration } from '@nx/devkit'
import type { GivenOptions } from '../declared/names.ts'
import { reportsFolder } from '../declared/paths.ts'
import { type DeclaredTarget, SMOKE_EXECUTOR } from './declared-targets.ts'
import { REPORTS_FOLDER, type Reads, smokeInputs } from './inputs.ts'

/** Names that a workspace may choose; complete. */
export interface TargetNames {
  /** The target that runs the smokes of a `smoke.config`. */
  readonly smoke: string
  /** The same on built output, one target below it for each fixture. */
  readonly ci: string
  /** The target that builds a project. */
  readonly build: string
}

/** What a target is inferred from, beside the smoke. */
export interface Surroundings {
  /** The project's name, as far as its own files say it. */
  readonly project: string
  readonly names: TargetNames
  /** `DSH_EXAMPLE_MODE` at inference; null for unset and empty. May be a word that is no mode. */
  readonly environmentMode: string | null
  /** What a run of the given options reads. */
  readonly readsOf: (options: GivenOptions) => Reads
  /** The options of each smoke that a target's options stand for: more than one where they name a smoke file. */
  readonly smokesOf: (options: GivenOptions) => readonly GivenOptions[]
  /** See `smokeInputs`. */
  readonly namedInput: string | null
  /** Every target name that the project's files use. */
  readonly taken: ReadonlySet<string>
}

/** The targets of a project, by name. */
export type Targets = Record<string, TargetConfiguration>

/** A `smoke.config` file that was read. */
export interface SmokeFileTargets {
  /** As targets name it: `{projectRoot}/smoke.config.json`. */
  readonly path: string
  /** Null when it can't be read: its smoke then fails with the reason, and the other targets of the workspace are as they were. */
  readonly fixtures: readonly { readonly label: string; readonly options: GivenOptions }[] | null
}

/** The inferred targets of a declared one: itself under its own name, and its lib twin unless its mode is written down. */
export function targetsFor(declared: DeclaredTarget, around: Surroundings): Targets {
  const { name, options, configurations, defaultConfiguration } = declared
  const explicit = modeOf(options)
  const mode = explicit ?? around.environmentMode ?? 'src'
  const all = [options, ...Object.values(configurations).map((more) => ({ ...options, ...more }))].flatMap(
    around.smokesOf,
  )
  const own = smokeTarget(
    {
      name,
      modes: [mode, ...all.map(modeOf)],
      all,
      options: explicit === undefined ? { mode, inferredMode: mode } : {},
    },
    around,
  )
  const twinName = `${name}-ci`
  if (explicit !== undefined || around.taken.has(twinName)) return { [name]: own }
  const withoutModes = Object.entries(configurations).map(([key, { mode: _mode, ...rest }]) => [key, rest] as const)
  return {
    [name]: own,
    [twinName]: {
      ...smokeTarget({ name: twinName, modes: ['lib'], all, options: { ...options, mode: 'lib' } }, around),
      ...(withoutModes.length === 0 ? {} : { configurations: Object.fromEntries(withoutModes) }),
      ...(defaultConfiguration === undefined ? {} : { defaultConfiguration }),
      metadata: metadata(
        `${around.project}:${twinName}`,
        `${name} on built output, after ${around.names.build}: the one for CI.`,
      ),
    },
  }
}

/**
 * The inferred targets of a `smoke.config`: one for all of its fixtures in the mode of the environment; one for all of them on built output, which only
 * stands for one target below it for each fixture, so that CI can split and distribute them. Names that the project uses are left alone.
 */
export function targetsForFile({ path, fixtures }: SmokeFileTargets, around: Surroundings): Targets {
  const { names, taken } = around
  const inferred = around.environmentMode ?? 'src'
  const options = { smokeConfig: path, mode: inferred, inferredMode: inferred }
  const targets: Targets = {}
  if (fixtures === null) {
    targets[names.smoke] = {
      executor: SMOKE_EXECUTOR,
      cache: false,
      options,
      metadata: metadata(`${around.project}:${names.smoke}`, `Says why ${path} can't be used.`),
    }
  } else {
    const all = fixtures.map((fixture) => fixture.options)
    const modes = all.map((fixture) => modeOf(fixture) ?? inferred)
    targets[names.smoke] = {
      ...smokeTarget(
        { name: names.smoke, modes, all: all.map((fixture) => ({ ...fixture, smokeConfig: path })), options },
        around,
      ),
      metadata: metadata(
        `${around.project}:${names.smoke}`,
        `Boots ${labels(fixtures)} from the real entry point, drives one task, and judges what happened.`,
      ),
    }
    const each = ciTargets({ path, fixtures }, around)
    targets[names.ci] = {
      executor: 'nx:noop',
      cache: true,
      inputs: [
        ...new Map(
          Object.values(each)
            .flatMap(({ inputs = [] }) => inputs)
            .map((input) => [JSON.stringify(input), input]),
        ).values(),
      ],
      outputs: [],
      dependsOn: Object.keys(each).map((target) => ({ target, params: 'forward' })),
      metadata: metadata(
        `${around.project}:${names.smoke}`,
        `${labels(fixtures)} on built output, after ${names.build}: the one for CI.`,
      ),
    }
    Object.assign(targets, each)
  }
  return Object.fromEntries(Object.entries(targets).filter(([name]) => !taken.has(name)))
}

/** The group under which a project's view shows the targets for CI. */
export function targetGroups(targets: Targets, { ci }: TargetNames): Record<string, string[]> {
  const members = Object.keys(targets).filter((name) => name === ci || name.startsWith(`${ci}--`))
  return members.length < 2 ? {} : { 'Smoke (CI)': members }
}

function ciTargets(
  { path, fixtures }: { path: string; fixtures: NonNullable<SmokeFileTargets['fixtures']> },
  around: Surroundings,
): Targets {
  const targets: Targets = {}
  for (const { label, options } of fixtures) {
    // A colon separates project, target and configuration on the command line of Nx.
    const base = `${around.names.ci}--${label.replaceAll(':', '-')}`
    const name = base in targets ? `${base}-${Object.keys(targets).length + 1}` : base
    const mode = modeOf(options) ?? 'lib'
    targets[name] = {
      ...smokeTarget(
        {
          name,
          modes: [mode],
          all: [{ ...options, smokeConfig: path }],
          options: { smokeConfig: path, fixture: label, mode },
        },
        around,
      ),
      metadata: metadata(
        `${around.project}:${name}`,
        `The smoke ${label} ${mode === 'lib' ? `on built output, after ${around.names.build}` : `in mode ${mode}`}.`,
      ),
    }
  }
  return targets
}

function labels(fixtures: readonly { readonly label: string }[]): string {
  return fixtures.length === 1 ? (fixtures[0]?.label ?? '') : `${fixtures.length} fixtures`
}

/** The mode that options name, or undefined. */
function modeOf({ mode }: GivenOptions): string | undefined {
  return mode === undefined || mode === null ? undefined : String(mode)
}

interface Smokes {
  readonly name: string
  /** Modes that runs of the target may have. */
  readonly modes: readonly (string | undefined)[]
  /** The options of every smoke and configuration that a run may have. */
  readonly all: readonly GivenOptions[]
  /** What is written into the target. */
  readonly options: GivenOptions
}

function smokeTarget({ name, modes, all, options }: Smokes, around: Surroundings): TargetConfiguration {
  const [mode = 'src'] = modes
  const reads = mergeReads(all.map(around.readsOf))
  return {
    executor: SMOKE_EXECUTOR,
    // With the whole environment or a file outside of the workspace in reach, no key can hold what a run depended on.
    cache: reads.outside.length === 0 && !all.some(({ envMode }) => envMode === 'inherit'),
    inputs: smokeInputs(modes.includes('lib') ? 'lib' : mode, reads, around.namedInput),
    outputs: [`{projectRoot}/${REPORTS_FOLDER}/${reportsFolder(name)}`],
    ...(dependsOnBuild(modes, options) ? { dependsOn: [around.names.build] } : {}),
    options,
    metadata: metadata(
      `${around.project}:${name}`,
      'Boots the agent app from its real entry point, drives one task, and judges what happened.',
    ),
  }
}

/** A declared target depends on its own mode alone, since Nx reads `dependsOn` per target; one that runs several fixtures, on any that is lib. */
function dependsOnBuild(modes: readonly (string | undefined)[], options: GivenOptions): boolean {
  return 'smokeConfig' in options ? modes.includes('lib') : modes[0] === 'lib'
}

/** What views of a project show; Nx runs the help command at the root of the workspace. */
function metadata(target: string, description: string): NonNullable<TargetConfiguration['metadata']> {
  return {
    description,
    technologies: ['loader-smoke'],
    help: {
      command: `npx nx run ${/^[\w:.@/-]+$/.test(target) ? target : JSON.stringify(target)} --help`,
      example: { options: { task: 'Say hello.', processTimeoutMs: 60_000 } },
    },
  }
}

function mergeReads(all: readonly Reads[]): Reads {
  const union = (of: (reads: Reads) => readonly string[]) => [...new Set(all.flatMap(of))].toSorted()
  return {
    files: union(({ files }) => files),
    folders: union(({ folders }) => folders),
    outside: union(({ outside }) => outside),
    ownSources: union(({ ownSources }) => ownSources),
    passEnv: union(({ passEnv }) => passEnv),
  }
}
