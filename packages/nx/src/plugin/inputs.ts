/** The inputs of a smoke's cache key: everything that a run can read, and nothing else. Pure. */
import type { TargetConfiguration } from '@nx/devkit'
import type { ExampleMode } from '@loader-smoke/harness'

/** Nx inputs, as a target has them. */
export type Inputs = NonNullable<TargetConfiguration['inputs']>

/** What is known of a smoke's reads when its target is inferred. */
export interface Reads {
  /** Files that options, configs and tsconfigs name; relative to the workspace root. */
  readonly files: readonly string[]
  /** Folders that they name, and that are outside of the project. */
  readonly folders: readonly string[]
  /** Files that options name outside of the workspace. */
  readonly outside: readonly string[]
  /** Packages of this plugin and its harness that are sources of this very workspace; folders relative to its root. */
  readonly ownSources: readonly string[]
  /** Names of the environment that the bin is given. */
  readonly passEnv: readonly string[]
}

/** The environment name that a run carries whose command line or configuration changes what is read: see command-line.ts. */
export const OVERRIDES_ENV = 'LOADER_SMOKE_NX_OVERRIDES'

/** What the reports of a run are written to, below the project. */
export const REPORTS_FOLDER = '.smoke'

/** Of the project's own files, those that no run reads. */
const NEVER_READ = [
  // The target's own configuration is in every key by itself; the other targets of the file aren't read by a run.
  '!{projectRoot}/project.json',
  '!{projectRoot}/{README,CHANGELOG,LICENSE}{,.md,.txt}',
  '!{projectRoot}/**/*.{spec,test}.{ts,mts,cts,tsx,js,mjs,cjs,jsx}',
  '!{projectRoot}/**/__snapshots__/**',
]

/** The standard environment that a bin has even in `envMode: 'strict'` and that changes how programs behave. */
const STANDARD_ENV = ['TZ', 'LANG', 'LC_ALL']

/** Versions that a verdict is about. One process, and no quoting that differs between shells. */
const RUNTIME = 'node -p process.version+process.platform+process.arch'

/** Where builds write, for a build that isn't an Nx target. */
const BUILT = '{projectRoot}/{lib,dist,build}/**/*'

/**
 * The inputs of a smoke in a mode (a word that is no mode gets those of `src`: its run will fail).
 * @param namedInput the workspace's own `smoke` input, when nx.json has one: it replaces the files of the project and of its dependencies.
 */
export function smokeInputs(mode: ExampleMode | string, reads: Reads, namedInput: string | null): Inputs {
  const sources: Inputs =
    namedInput === null
      ? ['{projectRoot}/**/*', ...NEVER_READ, { fileset: '{projectRoot}/**/*', dependencies: true }]
      : [namedInput, { input: namedInput, dependencies: true }]
  const notReports = `!{projectRoot}/${REPORTS_FOLDER}/**`
  const built: Inputs =
    mode === 'lib'
      ? [
          { dependentTasksOutputFiles: '**/*', transitive: true },
          { fileset: BUILT, includeIgnored: true },
          { fileset: BUILT, includeIgnored: true, dependencies: true },
        ]
      : []
  return [
    ...sources,
    notReports,
    ...built,
    ...reads.files.map((file) => ({ fileset: `{workspaceRoot}/${escapeGlob(file)}`, includeIgnored: true })),
    ...reads.folders.map((folder) => `{workspaceRoot}/${escapeGlob(folder)}/**/*`),
    ...reads.ownSources.flatMap((folder) => ownSource(escapeGlob(folder))),
    { runtime: RUNTIME },
    ...[...STANDARD_ENV, ...reads.passEnv, OVERRIDES_ENV].map((env) => ({ env })),
  ]
}

function ownSource(folder: string): string[] {
  return [`{workspaceRoot}/${folder}/src/**/*`, `{workspaceRoot}/${folder}/*.json`]
}

/** A path as a glob: characters that globs give a meaning become `?`, which every glob language reads as one character. */
function escapeGlob(path: string): string {
  return path.replace(/[[\]{}()*!+@|\\]/g, '?')
}
