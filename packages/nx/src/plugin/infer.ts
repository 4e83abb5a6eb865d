/** Infers the targets of one file: reads the project's files and smoke files, and hands them to the pure parts. */
import { basename, dirname, extname, join } from 'node:path'
import type { CreateNodesResult, NxJsonConfiguration } from '@nx/devkit'
import { findSmokeFile, loadSmokeFile, OptionError, SMOKE_FILE_NAMES } from '@loader-smoke/harness/config'
import type { GivenOptions } from '../declared/names.ts'
import { type Anchor, toAbsolute } from '../declared/paths.ts'
import { codeReach } from './code-reach.ts'
import { type DeclaredTarget, declaredTargets, projectName } from './declared-targets.ts'
import type { Reads } from './inputs.ts'
import { PROJECT_FILES } from './project-files.ts'
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
import type { Trace } from './trace.ts'

/** What all files of a workspace are inferred with; every part of it has a say in the result. */
export interface InferenceContext {
  readonly workspaceRoot: string
  readonly nxJson: NxJsonConfiguration
  readonly names: TargetNames
  /** `DSH_EXAMPLE_MODE`; null for unset and empty. */
  readonly environmentMode: string | null
  /** See `ownSources`. */
  readonly own: readonly string[]
}

/** The targets that `file` (a project file or a smoke file, relative to the workspace root) gives its project. Whatever is looked at is looked at through `traced`. */
export async function inferFrom(
  file: string,
  { workspaceRoot, nxJson, names, environmentMode, own }: InferenceContext,
  traced: Trace,
): Promise<CreateNodesResult> {
  const projectRoot = dirname(file)
  const declaring = PROJECT_FILES.map((name) => {
    const path = join(projectRoot, name)
    const content = traced.view.parsed(join(workspaceRoot, path), toJson)
    return { name, content, ...declaredTargets({ path, content }, nxJson) }
  })
  const smokes = declaring.find(({ name }) => name === basename(file))?.smokes
  if (smokes?.length === 0) return {}
  const files = await smokeFilesOf(
    declaring.flatMap(({ smokes }) => smokes),
    { workspaceRoot, projectRoot },
    traced,
  )
  const around: Surroundings = {
    project: projectName(
      declaring.map(({ content }) => content),
      projectRoot,
    ),
    smokesOf: (given) => {
      const fixtures = files.get(String(given['smokeConfig']))
      return fixtures === undefined ? [given] : fixtures.map((fixture) => ({ ...fixture, ...given }))
    },
    names,
    environmentMode,
    namedInput: 'smoke' in (nxJson.namedInputs ?? {}) ? 'smoke' : null,
    taken: new Set(declaring.flatMap((one) => [...one.names])),
    readsOf: remembering((given) => ({
      ...namedBy(given, { workspaceRoot, projectRoot }, traced.view),
      ownSources: own,
      passEnv: toNames(given['passEnv']),
    })),
  }
  const declaredIn = (smokes: readonly DeclaredTarget[]): Targets =>
    Object.assign({}, ...smokes.map((declared) => targetsFor(declared, around)))
  const targets =
    smokes === undefined
      ? targetsForFile(await readSmokeFile(join(workspaceRoot, file), traced), {
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
  traced: Trace,
): Promise<Map<string, readonly GivenOptions[]>> {
  const all = declared.flatMap(({ options, configurations }) => [options, ...Object.values(configurations)])
  const paths = new Set(all.map((options) => options['smokeConfig']).filter((path) => typeof path === 'string'))
  const files = new Map<string, readonly GivenOptions[]>()
  for (const path of paths) {
    const { fixtures } = await readSmokeFile(toAbsolute(path, anchor), traced)
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

async function readSmokeFile(file: string, traced: Trace): Promise<SmokeFileTargets> {
  const path = `{projectRoot}/${basename(file)}`
  for (const name of SMOKE_FILE_NAMES) traced.view.kindOf(join(dirname(file), name))
  traceReading(file, traced)
  try {
    // More than one file in a folder is an error that belongs to the first of them.
    findSmokeFile(dirname(file))
    const { fixtures } = await loadSmokeFile(file)
    return { path, fixtures: fixtures.map(({ label, options }) => ({ label, options: options as GivenOptions })) }
  } catch (error) {
    if (!(error instanceof OptionError)) throw error
    // What would mend it is not among what was looked at: a package that isn't installed, time.
    traced.readUnknown()
    return { path, fixtures: null }
  }
}

/** Before the file is read, so that a change while it is read is seen the next time. */
function traceReading(file: string, traced: Trace): void {
  if (extname(file) === '.json') {
    // No digest: it is missing, which its own error says, or too large for the view.
    if (traced.view.answer('text', file) === '') traced.readUnknown()
  } else {
    const names = codeReach(file, traced.view)
    if (names === undefined) traced.readUnknown()
    else names.forEach((name) => traced.readEnv(name))
  }
}

function toNames(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : []
}

/** Null for what is no JSON: Nx itself reports it, and inference must not break the other projects over it. */
function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Named above: Nx's own plugin for this file reports the same error with its position.
    return null
  }
}
