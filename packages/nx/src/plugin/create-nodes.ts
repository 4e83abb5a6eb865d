/** Inference: gives Nx the targets of the files it found, those that were kept and those that are inferred anew. */
import { basename, dirname } from 'node:path'
import type { CreateNodes, CreateNodesResult } from '@nx/devkit'
import { EXAMPLE_MODE_ENV, fileView, SMOKE_FILE_NAMES } from '@loader-smoke/harness/config'
import type { InferenceContext } from './infer.ts'
import { keptResults } from './kept-results.ts'
import { digestOf, ownCode } from './own-code.ts'
import { ownSources } from './own-sources.ts'
import { PROJECT_FILES } from './project-files.ts'
import { trace } from './trace.ts'

/** Options of the plugin in nx.json. */
export interface SmokePluginOptions {
  /** The target that runs the smokes of a `smoke.config`; default `smoke`. */
  readonly targetName?: string
  /** Its twin on built output; default `smoke-ci`. */
  readonly ciTargetName?: string
  /** The target that builds a project; default `build`. */
  readonly buildTargetName?: string
}

/** Infers targets from every project.json and package.json that declares a target of our executor, and from every smoke file beside one of those. */
export const createNodes: CreateNodes<SmokePluginOptions> = [
  `**/{${[...PROJECT_FILES, ...SMOKE_FILE_NAMES].join(',')}}`,
  async (files, options, context) => {
    const { workspaceRoot, nxJsonConfiguration } = context
    const inference: InferenceContext = {
      workspaceRoot,
      nxJson: nxJsonConfiguration,
      names: {
        smoke: options?.targetName ?? 'smoke',
        ci: options?.ciTargetName ?? 'smoke-ci',
        build: options?.buildTargetName ?? 'build',
      },
      environmentMode: process.env[EXAMPLE_MODE_ENV] || null,
      own: ownSources(workspaceRoot),
    }
    const digest = digestOf(inference)
    const view = fileView()
    const kept = keptResults(workspaceRoot, ownCode())
    const before = new Map<string, CreateNodesResult>()
    const ofProjects = inProjects(files)
    for (const file of ofProjects) {
      const result = kept.get(`${digest} ${file}`, view)
      if (result !== undefined) before.set(file, result)
    }
    if (before.size === ofProjects.length) return [...before]
    // Not before something must be inferred: to import what does that costs more than everything above.
    const [{ createNodesFromFiles }, { inferFrom }] = await Promise.all([import('@nx/devkit'), import('./infer.ts')])
    const infer = async (file: string) => {
      const traced = trace(view)
      const result = await inferFrom(file, inference, traced)
      const looks = traced.looks()
      if (looks !== undefined) kept.set(`${digest} ${file}`, looks, result)
      return result
    }
    const results = await createNodesFromFiles(
      async (file) => before.get(file) ?? (await infer(file)),
      ofProjects,
      options,
      context,
    )
    kept.save()
    return results
  },
]

/** Those of `files` that lie in the folder of a project: a smoke file elsewhere is nobody's. */
function inProjects(files: readonly string[]): string[] {
  const folders = new Set(files.filter((file) => PROJECT_FILES.includes(basename(file))).map((file) => dirname(file)))
  return files.filter((file) => folders.has(dirname(file)))
}
