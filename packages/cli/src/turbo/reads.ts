/** Which files a task's smokes read, so that its key can be asked for each. Reads files. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import {
  configsFrom,
  type FileView,
  fileView,
  insideOf,
  mapped,
  packageLinks,
  packageNameOf,
  sourcesFrom,
  tsconfigChain,
} from '@loader-smoke/harness/config'
import type { PlannedSmoke } from '../run/plan.ts'
import { withoutComments } from './read-turbo.ts'

/** A package that is loaded through a link without being declared. */
export interface UndeclaredLink {
  readonly name: string
  /** Relative to the repository, with forward slashes. */
  readonly folder: string
}

/** What smokes read; files of the repository alone, for nothing else can be part of a key. */
export interface Reads {
  /** Files of the package, relative to it, with forward slashes. */
  readonly inside: readonly string[]
  /** Files that belong neither to the package nor to one it depends on, relative to the repository; a folder as the pattern of all that is in it. */
  readonly outside: readonly string[]
  /** Names of the packages of the workspace that package.json declares. */
  readonly workspacePackages: readonly string[]
  readonly undeclared: readonly UndeclaredLink[]
}

/** What `planned` name, and what that names in turn: a tsconfig its `extends`, a config its includes and plugins, a source its imports. `folder` and `root` are absolute. */
export function readsOf(planned: readonly PlannedSmoke[], folder: string, root: string): Reads {
  const files = new Set<string>()
  const folders = new Set<string>()
  const names = new Set<string>()
  const view = fileView()
  for (const smoke of planned) collect(smoke, { root, view }, { files, folders, names })
  const linkOf = packageLinks(folder, root, view)
  const declared = declaredNames(folder).filter((name) => linkOf(name) !== undefined)
  const own = [folder, ...dependencyFolders(folder, root)]
  const isOwn = (path: string) => own.some((one) => insideOf(one, path) !== null)
  const outside = [
    ...[...files].filter((file) => !isOwn(file)),
    ...[...folders].filter((one) => !isOwn(one) && insideOf(one, folder) === null).map((one) => `${one}/**`),
  ]
  const undeclared = [...names].flatMap((name) => {
    const link = linkOf(name)
    return link === undefined || isOwn(link)
      ? []
      : [{ name: packageNameOf(name), folder: insideOf(root, link) ?? link }]
  })
  return {
    inside: relativeTo(folder, [...files]),
    outside: relativeTo(root, outside),
    workspacePackages: declared,
    undeclared: [...new Map(undeclared.map((link) => [link.name, link])).values()],
  }
}

function collect(
  { options, reads, file, model }: PlannedSmoke,
  { root, view }: { readonly root: string; readonly view: FileView },
  found: { readonly files: Set<string>; readonly folders: Set<string>; readonly names: Set<string> },
): void {
  const project = options.tsconfigPath === undefined ? [] : [options.tsconfigPath]
  const { files: tsconfigs, paths } = tsconfigChain(project, parseTsconfig, view)
  const words = (options.binArgs ?? []).filter((word) => isAbsolute(word) && existsSync(word))
  // The file of smokes itself is no config: a label in it may be called like a package.
  const configs = configsFrom([...reads.filter((path) => path !== file), ...words], view)
  const plugins = [...configs.files].flatMap(pluginsIn)
  const mappedPlugins = plugins.map((name) => mapped(name, paths, view)).filter((path) => path !== undefined)
  const sources = sourcesFrom([file, ...configs.files, ...mappedPlugins], paths, root, view)
  const recordings = model !== null && 'recording' in model ? [model.recording] : []
  for (const path of [...tsconfigs, file, ...configs.files, ...recordings, ...sources.files]) found.files.add(path)
  for (const folder of configs.folders) found.folders.add(folder)
  for (const name of [...plugins, ...sources.bare]) found.names.add(name)
}

function parseTsconfig(text: string): unknown {
  return JSON.parse(withoutComments(text))
}

/** What entries of a Cordis config name as their plugins. */
function pluginsIn(path: string): string[] {
  if (!/\.(?:ya?ml|jsonc?)$/.test(path) || !existsSync(path)) return []
  return [...readFileSync(path, 'utf8').matchAll(/\bname["']?\s*:\s*["']?([^\s"'#,}]+)/g)].map(([, name = '']) => name)
}

/** The folders of what the package depends on within the repository, over any number of steps: turbo's `^` reaches them all. */
function dependencyFolders(folder: string, root: string): string[] {
  const found = new Set<string>()
  const open = [folder]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const linkOf = packageLinks(at, root)
    for (const link of declaredNames(at).map(linkOf))
      if (link !== undefined && !found.has(link)) {
        found.add(link)
        open.push(link)
      }
  }
  return [...found]
}

function declaredNames(folder: string): string[] {
  const file = join(folder, 'package.json')
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return []
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, object | undefined>>
  return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.keys(manifest[kind] ?? {}),
  )
}

/** Those of `paths` that are in `base` and not installed: the lockfile stands for what is. */
function relativeTo(base: string, paths: readonly string[]): string[] {
  return paths
    .map((path) => insideOf(base, path))
    .filter((path) => path !== null)
    .filter((path) => !path.split('/').includes('node_modules'))
}
