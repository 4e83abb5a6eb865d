/** From a declared smoke to what Nx is told about it: caching, inputs, outputs, dependencies, and its lib twin. Pure. */
import type { TargetConfiguration } from '@nx/devkit'
import type { GivenOptions } from '../declared/names.ts'
import { type DeclaredTarget, SMOKE_EXECUTOR } from './declared-targets.ts'
import { REPORTS_FOLDER, type Reads, smokeInputs } from './inputs.ts'

/** Names that a workspace may choose; complete. */
export interface TargetNames {
  /** The target that builds a project. */
  readonly build: string
  /** What the name of a lib twin ends with, after the name of its target. */
  readonly ciSuffix: string
}

/** What a target is inferred from, beside the target. */
export interface Surroundings {
  readonly names: TargetNames
  /** `DSH_EXAMPLE_MODE` at inference; null for unset and empty. May be a word that is no mode. */
  readonly environmentMode: string | null
  /** What a run of the given options reads. */
  readonly readsOf: (options: GivenOptions) => Reads
  /** See `smokeInputs`. */
  readonly namedInput: string | null
  /** Every target name that the project's files use. */
  readonly taken: ReadonlySet<string>
}

/** The inferred targets of a declared one: itself under its own name, and its lib twin where there is one. */
export function targetsFor(declared: DeclaredTarget, around: Surroundings): Record<string, TargetConfiguration> {
  const explicit = modeOf(declared.options)
  const inferred = explicit ?? around.environmentMode ?? 'src'
  const own = smokeTarget(
    declared,
    inferred,
    around,
    explicit === undefined ? { mode: inferred, inferredMode: inferred } : {},
  )
  const twinName = `${declared.name}${around.names.ciSuffix}`
  if (explicit !== undefined || around.taken.has(twinName)) return { [declared.name]: own }
  const { options, configurations, defaultConfiguration } = declared
  const twin = smokeTarget({ ...declared, name: twinName }, 'lib', around, { ...options, mode: 'lib' })
  const withoutModes = Object.entries(configurations).map(([name, { mode: _mode, ...rest }]) => [name, rest] as const)
  return {
    [declared.name]: own,
    [twinName]: {
      ...twin,
      ...(withoutModes.length === 0 ? {} : { configurations: Object.fromEntries(withoutModes) }),
      ...(defaultConfiguration === undefined ? {} : { defaultConfiguration }),
      metadata: metadata(`The smoke ${declared.name} on built output, after ${around.names.build}: the one for CI.`),
    },
  }
}

/** The mode that options name, or undefined. */
function modeOf({ mode }: GivenOptions): string | undefined {
  return mode === undefined || mode === null ? undefined : String(mode)
}

function smokeTarget(
  declared: DeclaredTarget,
  mode: string,
  around: Surroundings,
  options: GivenOptions,
): TargetConfiguration {
  const modes = [mode, ...Object.values(declared.configurations).map(modeOf)]
  const inherits = [declared.options, ...Object.values(declared.configurations)].some(
    ({ envMode }) => envMode === 'inherit',
  )
  const allOptions = [
    declared.options,
    ...Object.values(declared.configurations).map((more) => ({ ...declared.options, ...more })),
  ]
  const reads = mergeReads(allOptions.map(around.readsOf))
  return {
    executor: SMOKE_EXECUTOR,
    // With the whole environment in reach, no key can hold what a run depended on.
    cache: !inherits,
    inputs: smokeInputs(modes.includes('lib') ? 'lib' : mode, reads, around.namedInput),
    outputs: [`{projectRoot}/${REPORTS_FOLDER}/${declared.name}`],
    ...(mode === 'lib' ? { dependsOn: [around.names.build] } : {}),
    options,
    metadata: metadata('Boots the agent app from its real entry point, drives one task, and judges what happened.'),
  }
}

function metadata(description: string): NonNullable<TargetConfiguration['metadata']> {
  return {
    description,
    technologies: ['loader-smoke'],
    help: {
      command: 'npx nx run <project>:<target> --help',
      example: { options: { task: 'Say hello.', processTimeoutMs: 60_000 } },
    },
  }
}

function mergeReads(all: readonly Reads[]): Reads {
  const union = (of: (reads: Reads) => readonly string[]) => [...new Set(all.flatMap(of))].toSorted()
  return {
    files: union(({ files }) => files),
    folders: union(({ folders }) => folders),
    ownSources: union(({ ownSources }) => ownSources),
    passEnv: union(({ passEnv }) => passEnv),
  }
}
