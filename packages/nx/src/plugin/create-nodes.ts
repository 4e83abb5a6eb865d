/** Inference: reads the project files and smoke files that Nx found, and hands them to the pure parts. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type CreateNodes, type CreateNodesContext, type CreateNodesResult, createNodesFromFiles } from '@nx/devkit'
import { EXAMPLE_MODE_ENV } from '@loader-smoke/harness'
import { findSmokeFile, loadSmokeFile, OptionError, SMOKE_FILE_NAMES } from '@loader-smoke/harness/config'
import type { GivenOptions } from '../declared/names.ts'
import { type Anchor, toAbsolute } from '../declared/paths.ts'
import { type DeclaredTarget, declaredTargets } from './declared-targets.ts'
import type { Reads } from './inputs.ts'
import { ownSources } from './own-sources.ts'
import { namedBy } from './reads.ts'
import {
  type SmokeFileTargets,
  type Surroundings,
  targetGroups,
  type TargetNames,
  type Targets,
  targetsFor,
  targetsForFile,
} from './targets.ts'

/** Options of the plugin in nx.json. */
export interface SmokePluginOptions {
  /** The target that runs the smokes of a `smoke.config`; default `smoke`. */
  readonly targetName?: string
  /** Its twin on built output; default `smoke-ci`. */
  readonly ciTargetName?: string
  /** The target that builds a project; default `build`. */
  readonly buildTargetName?: string
}

const PROJECT_FILES = ['project.json', 'package.json']

/** Infers targets from every project.json and package.json that declares a target of our executor, and from every smoke file beside one of those. */
export const createNodes: CreateNodes<SmokePluginOptions> = [
  `**/{${[...PROJECT_FILES, ...SMOKE_FILE_NAMES].join(',')}}`,
  (files, options, context) => {
    const own = ownSources(context.workspaceRoot)
    const projects = new Set(
      files.filter((file) => PROJECT_FILES.includes(basename(file))).map((file) => dirname(file)),
    )
    return createNodesFromFiles(
      async (file) => (projects.has(dirname(file)) ? inferFrom(file, options, context, own) : {}),
      files,
      options,
      context,
    )
  },
]

async function inferFrom(
  file: string,
  options: SmokePluginOptions | undefined,
  { workspaceRoot, nxJsonConfiguration }: CreateNodesContext,
  own: readonly string[],
): Promise<CreateNodesResult> {
  const projectRoot = dirname(file)
  const names: TargetNames = {
    smoke: options?.targetName ?? 'smoke',
    ci: options?.ciTargetName ?? 'smoke-ci',
    build: options?.buildTargetName ?? 'build',
  }
  const declaring = PROJECT_FILES.map((name) => {
    const path = join(projectRoot, name)
    return { name, ...declaredTargets({ path, content: readJson(join(workspaceRoot, path)) }, nxJsonConfiguration) }
  })
  const files = await smokeFilesOf(
    declaring.flatMap(({ smokes }) => smokes),
    { workspaceRoot, projectRoot },
  )
  const around: Surroundings = {
    smokesOf: (given) => {
      const fixtures = files.get(String(given['smokeConfig']))
      return fixtures === undefined ? [given] : fixtures.map((fixture) => ({ ...fixture, ...given }))
    },
    names,
    environmentMode: process.env[EXAMPLE_MODE_ENV] || null,
    namedInput: 'smoke' in (nxJsonConfiguration.namedInputs ?? {}) ? 'smoke' : null,
    taken: new Set(declaring.flatMap((one) => [...one.names])),
    readsOf: remembering((given) => ({
      ...namedBy(given, { workspaceRoot, projectRoot }),
      ownSources: own,
      passEnv: toNames(given['passEnv']),
    })),
  }
  const declaredIn = (smokes: readonly DeclaredTarget[]): Targets =>
    Object.assign({}, ...smokes.map((declared) => targetsFor(declared, around)))
  const smokes = declaring.find(({ name }) => name === basename(file))?.smokes
  const targets =
    smokes === undefined
      ? targetsForFile(await readSmokeFile(join(workspaceRoot, file)), {
          ...around,
          taken: new Set([...around.taken, ...declaring.flatMap((one) => Object.keys(declaredIn(one.smokes)))]),
        })
      : declaredIn(smokes)
  if (Object.keys(targets).length === 0) return {}
  return {
    projects: {
      [projectRoot]: { root: projectRoot, targets, metadata: { targetGroups: targetGroups(targets, names) } },
    },
  }
}

/** What the smoke files declare that targets name by themselves: path as written → options of each fixture. A file that can't be used has none; its task says why. */
async function smokeFilesOf(
  declared: readonly DeclaredTarget[],
  anchor: Anchor,
): Promise<Map<string, readonly GivenOptions[]>> {
  const all = declared.flatMap(({ options, configurations }) => [options, ...Object.values(configurations)])
  const paths = new Set(all.map((options) => options['smokeConfig']).filter((path) => typeof path === 'string'))
  const files = new Map<string, readonly GivenOptions[]>()
  for (const path of paths) {
    const { fixtures } = await readSmokeFile(toAbsolute(path, anchor))
    if (fixtures !== null)
      files.set(
        path,
        fixtures.map(({ options }) => options),
      )
  }
  return files
}

/** A target and its twin read the same: each set of options is looked at once for each inference. */
function remembering(readsOf: (given: GivenOptions) => Reads): (given: GivenOptions) => Reads {
  const known = new Map<string, Reads>()
  return (given) => {
    const key = JSON.stringify(given)
    const reads = known.get(key) ?? readsOf(given)
    known.set(key, reads)
    return reads
  }
}

async function readSmokeFile(file: string): Promise<SmokeFileTargets> {
  const path = `{projectRoot}/${basename(file)}`
  try {
    // More than one file in a folder is an error that belongs to the first of them.
    findSmokeFile(dirname(file))
    const { fixtures } = await loadSmokeFile(file)
    return { path, fixtures: fixtures.map(({ label, options }) => ({ label, options: options as GivenOptions })) }
  } catch (error) {
    if (!(error instanceof OptionError)) throw error
    return { path, fixtures: null }
  }
}

function toNames(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : []
}

/** Null for a file that isn't there or is no JSON: Nx itself reports the latter, and inference must not break the other projects over it. */
function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // Named above: Nx's own plugin for this file reports the same error with its position.
    return null
  }
}
