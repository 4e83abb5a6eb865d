/** Finds out what a smoke reads beside its project's own files and its declared dependencies, from what its options name. Reads files. */
import { dirname, join, resolve } from 'node:path'
import {
  configsFrom,
  type FileView,
  fileView,
  insideOf,
  mapped,
  nearestTsconfig,
  packageLinks,
  seenFrom,
  sourcesFrom,
  tsconfigChain,
} from '@loader-smoke/harness/config'
import { parseJson } from '@nx/devkit'
import { type GivenOptions, pathNames } from '../declared/names.ts'
import { type Anchor, toAbsolute, tsconfigPlaces } from '../declared/paths.ts'

/** Files and folders inside the workspace, relative to its root, sorted; forward slashes. */
export interface Named {
  readonly files: readonly string[]
  readonly folders: readonly string[]
  /** Files that are named or loaded and lie outside of the workspace, absolute: no cache key of Nx can hold them. */
  readonly outside: readonly string[]
}

/** Options that hold where to write or run, or that are followed in a way of their own. */
const NOT_CONFIGS = new Set(['tempDirParent', 'cwd', 'tsconfigPath', 'binScript', 'smokeConfig'])

/**
 * What the options of a smoke name, and what those files name in turn: a tsconfig its `extends`, a config its includes, patches, scripts and
 * plugins, a source its imports.
 * Files of the project itself are listed only where an option or a config names them: Nx doesn't hash ignored files by itself, and such a file may be ignored.
 */
export function namedBy(options: GivenOptions, anchor: Anchor, view: FileView = fileView()): Named {
  const { workspaceRoot } = anchor
  const project = resolve(workspaceRoot, anchor.projectRoot)
  const given = (name: string) => (typeof options[name] === 'string' ? [toAbsolute(options[name], anchor)] : [])
  const { files: typescript, paths } = tsconfigChain(projectsOf(options, anchor, view), parseTsconfig, view)
  const configs = configsFrom(
    pathsIn(options).map((path) => toAbsolute(path, anchor)),
    view,
  )
  // It names no further files, although its texts may look as if they did.
  const recording = recordingsIn(options).map((path) => toAbsolute(path, anchor))
  const entries = [...given('binScript'), ...given('smokeConfig'), ...configs.files]
  const sources = sourcesFrom(entries, paths, workspaceRoot, view)
  const plugins = [...configs.names].map((name) => mapped(name, paths, view)).filter((file) => file !== undefined)
  const pluginSources = sourcesFrom(plugins, paths, workspaceRoot, view)
  const linkOf = packageLinks(project, workspaceRoot, view)
  const declared = (view.parsed(join(project, 'package.json'), declaredNames) ?? [])
    .map(linkOf)
    .filter((folder) => folder !== undefined)
  const covered = (path: string) => [project, ...declared].some((folder) => insideOf(folder, path) !== null)
  const walked = [...sources.files, ...pluginSources.files].filter((file) => !covered(file))
  const linked = [...configs.names, ...sources.bare, ...pluginSources.bare]
    .map(linkOf)
    .filter((folder): folder is string => folder !== undefined && !covered(folder))
  // Nx looks at no file behind a link to a folder: such a folder counts where it really lies.
  const really = [...configs.folders].map((folder) => ({ folder, real: view.realOf(folder) ?? folder }))
  const folders = really
    .map(({ real }) => seenFrom(workspaceRoot, real, view))
    .filter(
      (folder): folder is string =>
        folder !== null && insideOf(folder, project) === null && insideOf(project, folder) === null,
    )
  const named = [
    ...given('binScript'),
    ...given('tsconfigPath'),
    ...pathsIn(options).map((path) => toAbsolute(path, anchor)),
    ...recording,
  ]
  const unheld = [
    ...named.filter((path) => insideOf(workspaceRoot, path) === null && view.kindOf(path) !== undefined),
    ...really
      .filter(
        ({ folder, real }) => insideOf(workspaceRoot, folder) !== null && seenFrom(workspaceRoot, real, view) === null,
      )
      .map(({ real }) => real)
      .filter((folder) => !/[/\\]node_modules(?:[/\\]|$)/.test(folder)),
  ]
  return {
    outside: [...new Set([...unheld, ...sources.outside, ...pluginSources.outside])],
    files: relativeTo(workspaceRoot, [
      ...typescript.map((file) => seenFrom(workspaceRoot, file, view) ?? file),
      ...given('binScript'),
      ...given('smokeConfig'),
      ...configs.files,
      ...recording,
      ...walked,
    ]),
    folders: relativeTo(workspaceRoot, [...folders, ...linked]),
  }
}

/** The TypeScript project that the run takes. Of a target that names none, all that exist count as read, since the creation of an earlier one changes it. */
function projectsOf({ tsconfigPath, smokeConfig }: GivenOptions, anchor: Anchor, view: FileView): readonly string[] {
  if (typeof tsconfigPath === 'string') return [toAbsolute(tsconfigPath, anchor)]
  if (typeof smokeConfig !== 'string') return tsconfigPlaces(anchor)
  const found = nearestTsconfig(dirname(toAbsolute(smokeConfig, anchor)), (path) => view.kindOf(path) !== undefined)
  return found === undefined ? [] : [found]
}

function relativeTo(workspaceRoot: string, paths: readonly string[]): string[] {
  const relative = paths
    .map((path) => insideOf(workspaceRoot, path))
    .filter((path): path is string => path !== null && path !== '' && !path.split('/').includes('node_modules'))
  return [...new Set(relative)].toSorted()
}

/** Paths among the options whose text is followed as a config, whatever they are. */
function pathsIn(options: GivenOptions): string[] {
  const { model, binArgs, sourceImport } = options as { model?: unknown; binArgs?: unknown; sourceImport?: unknown }
  const script = typeof model === 'object' && model !== null ? (model as { script?: unknown }).script : model
  const named = pathNames.filter((name) => !NOT_CONFIGS.has(name)).map((name) => options[name])
  const listed = Array.isArray(binArgs) ? (binArgs as unknown[]) : []
  // A loader is a package unless it is written as a path.
  const loader =
    typeof sourceImport === 'string' && /^(?:\.{1,2}[/\\]|\/|\{)/.test(sourceImport) ? sourceImport : undefined
  return [...named, script, ...listed, loader].filter(
    (value): value is string => typeof value === 'string' && value !== '',
  )
}

function recordingsIn({ model }: GivenOptions): string[] {
  const { recording } = (typeof model === 'object' && model !== null ? model : {}) as { readonly recording?: unknown }
  return typeof recording === 'string' && recording !== '' ? [recording] : []
}

/** The packages that a package.json declares: Nx knows of those in the workspace, and of what they depend on. */
function declaredNames(text: string): string[] {
  let manifest: Record<string, unknown>
  try {
    manifest = JSON.parse(text) as Record<string, unknown>
  } catch {
    // A broken package.json declares nothing; Nx itself reports it.
    return []
  }
  return ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.keys(manifest[kind] ?? {}),
  )
}

function parseTsconfig(text: string): unknown {
  return parseJson(text, { allowTrailingComma: true, disallowComments: false })
}
