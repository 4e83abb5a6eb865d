/** Inference: reads the project files that Nx found, and hands them to the pure parts. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type CreateNodes, createNodesFromFiles, type CreateNodesContext, type CreateNodesResult } from '@nx/devkit'
import { EXAMPLE_MODE_ENV } from '@loader-smoke/harness'
import type { GivenOptions } from '../declared/names.ts'
import { declaredTargets } from './declared-targets.ts'
import type { Reads } from './inputs.ts'
import { ownSources } from './own-sources.ts'
import { namedBy } from './reads.ts'
import { type TargetNames, targetsFor } from './targets.ts'

/** Options of the plugin in nx.json. */
export interface SmokePluginOptions {
  /** The target that builds a project; default `build`. */
  readonly buildTargetName?: string
}

/** Infers targets from every project.json and package.json that declares a target of our executor. */
export const createNodes: CreateNodes<SmokePluginOptions> = [
  '**/{project,package}.json',
  (files, options, context) => {
    const own = ownSources(context.workspaceRoot)
    return createNodesFromFiles((file) => inferFrom(file, options, context, own), files, options, context)
  },
]

function inferFrom(
  file: string,
  { buildTargetName = 'build' }: SmokePluginOptions = {},
  { workspaceRoot, nxJsonConfiguration }: CreateNodesContext,
  own: readonly string[],
): CreateNodesResult {
  const content = readJson(join(workspaceRoot, file))
  const { smokes, names: taken } = declaredTargets({ path: file, content }, nxJsonConfiguration)
  if (smokes.length === 0) return {}
  const projectRoot = dirname(file)
  const names: TargetNames = { build: buildTargetName, ciSuffix: '-ci' }
  const environmentMode = process.env[EXAMPLE_MODE_ENV] || null
  const namedInput = 'smoke' in (nxJsonConfiguration.namedInputs ?? {}) ? 'smoke' : null
  const readsOf = (options: GivenOptions): Reads => ({
    ...namedBy(options, { workspaceRoot, projectRoot }),
    ownSources: own,
    passEnv: toNames(options['passEnv']),
  })
  const targets = Object.assign(
    {},
    ...smokes.map((declared) => targetsFor(declared, { names, environmentMode, readsOf, namedInput, taken })),
  ) as NonNullable<NonNullable<CreateNodesResult['projects']>[string]['targets']>
  return { projects: { [projectRoot]: { root: projectRoot, targets } } }
}

function toNames(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : []
}

/** Null for a file that is no JSON: Nx itself reports it, and inference must not break the other projects over it. */
function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // Named above: Nx's own plugin for this file reports the same error with its position.
    return null
  }
}
