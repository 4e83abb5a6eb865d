/** Walks from source files through what they import and name, so that a run's inputs hold every source that it loads. Reads files. */
import { dirname, join, resolve } from 'node:path'
import { type FileView, fileView } from './file-view.ts'
import { insideOf } from './inside-of.ts'

/** A `paths` map of a TypeScript project: pattern (at most one `*`) → absolute targets, most specific pattern first. */
export type PathMap = readonly (readonly [pattern: string, targets: readonly string[]])[]

/** Source files whose text is followed. */
const SOURCE = /\.[mc]?[tj]sx?$/

/** Further files whose text a run reads, and doesn't only write or start. */
const DATA = /\.(?:jsonc?|ya?ml)$/

/** What a specifier without an ending, or with the ending of built output, may stand for. */
const ENDINGS = [
  '',
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.js',
  '.mjs',
  '.cjs',
  '.json',
  '/index.ts',
  '/index.tsx',
  '/index.js',
]

/** What a walk found. */
export interface Walk {
  /** Absolute, where they really lie, as seen from the folder of the walk; the entries are among them. */
  readonly files: readonly string[]
  /** Sources, JSON and YAML that really lie outside of the folder, absolute; what they load is not looked at. */
  readonly outside: readonly string[]
  /** Specifiers that no path and no `paths` entry explains: packages, or no specifiers at all. */
  readonly bare: ReadonlySet<string>
}

/**
 * The files that `entries` (absolute) load: relative and path-mapped imports, and files they name by a relative path, over any number of steps.
 * Links are followed as Node does: what a source imports starts where the source really lies.
 * @param within only files below this folder, and not below a `node_modules`, are followed.
 */
export function sourcesFrom(
  entries: readonly string[],
  paths: PathMap,
  within: string,
  view: FileView = fileView(),
): Walk {
  const found = new Set<string>()
  const outside = new Set<string>()
  const bare = new Set<string>()
  const waiting = entries.filter((entry) => view.kindOf(entry) === 'file')
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const real = view.realOf(path) ?? path
    if (/[/\\]node_modules[/\\]/.test(real)) continue
    const file = seenFrom(within, real, view)
    if (file === null && (SOURCE.test(real) || DATA.test(real))) outside.add(real)
    if (file === null || found.has(file)) continue
    found.add(file)
    if (!SOURCE.test(file)) continue
    for (const name of view.parsed(file, specifiersIn) ?? []) {
      const target = /^\.{1,2}\//.test(name) ? existing(resolve(dirname(file), name), view) : mapped(name, paths, view)
      if (target !== undefined) waiting.push(target)
      else bare.add(name)
    }
  }
  return { files: [...found], outside: [...outside], bare }
}

/** The path without links `real` as a path below `within`, which may itself be a link; null when it lies elsewhere. */
export function seenFrom(within: string, real: string, view: FileView): string | null {
  const inside = insideOf(view.realOf(within) ?? within, real)
  return inside === null ? null : join(within, inside)
}

/** The file that a bare specifier is mapped to. */
export function mapped(specifier: string, paths: PathMap, view: FileView = fileView()): string | undefined {
  for (const [pattern, targets] of paths) {
    const star = pattern.indexOf('*')
    const before = star === -1 ? pattern : pattern.slice(0, star)
    const after = star === -1 ? '' : pattern.slice(star + 1)
    const matches =
      star === -1
        ? specifier === pattern
        : specifier.startsWith(before) && specifier.endsWith(after) && specifier.length >= pattern.length - 1
    if (!matches) continue
    const middle = star === -1 ? '' : specifier.slice(before.length, specifier.length - after.length)
    for (const target of targets) {
      const file = existing(
        target.replace('*', () => middle),
        view,
      )
      if (file !== undefined) return file
    }
  }
  return undefined
}

/** Finds the folders of packages of `within` that `node_modules` only links to, as seen from the folder `from`. */
export function packageLinks(
  from: string,
  within: string,
  view: FileView = fileView(),
): (name: string) => string | undefined {
  const shelves: string[] = []
  for (let folder = from; insideOf(within, folder) !== null; folder = dirname(folder)) {
    const shelf = join(folder, 'node_modules')
    if (view.kindOf(shelf) !== undefined) shelves.push(shelf)
    if (folder === dirname(folder)) break
  }
  const found = new Map<string, string | undefined>()
  return (name) => {
    const [, packageName] = /^((?:@[^/@\s]+\/)?[^/@.\s:][^/\s:]*)(?:\/|$)/.exec(name) ?? []
    if (packageName === undefined) return undefined
    if (!found.has(packageName)) {
      const real = realFolder(packageName, shelves, view)
      const installed = real === undefined || /[/\\]node_modules[/\\]/.test(real)
      found.set(packageName, installed ? undefined : (seenFrom(within, real, view) ?? undefined))
    }
    return found.get(packageName)
  }
}

function realFolder(packageName: string, shelves: readonly string[], view: FileView): string | undefined {
  const place = shelves.map((shelf) => join(shelf, packageName)).find((path) => view.kindOf(path) !== undefined)
  return place === undefined ? undefined : view.realOf(place)
}

/** Quoted paths that begin with `./` or `../` wherever they stand, and whatever is imported or required. */
function specifiersIn(source: string): string[] {
  const names = new Set<string>()
  for (const [, name] of source.matchAll(/["'`](\.{1,2}\/[^"'`\s$]{1,256})["'`]/g)) names.add(name ?? '')
  for (const [, name] of source.matchAll(/(?:from|import|require)\s*\(?\s*["'`]([^"'`\s$]{1,256})["'`]/g))
    names.add(name ?? '')
  return [...names].filter((name) => !name.startsWith('node:'))
}

function existing(path: string, view: FileView): string | undefined {
  const source = path.replace(/\.([mc]?)js(x?)$/, '.$1ts$2')
  const found = ENDINGS.find((ending) => view.kindOf(`${path}${ending}`) === 'file')
  if (found !== undefined) return `${path}${found}`
  return view.kindOf(source) === 'file' ? source : undefined
}
