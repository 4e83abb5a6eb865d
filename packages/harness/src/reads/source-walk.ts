/** Walks from source files through what they import and name, so that a run's inputs hold every source that it loads. Reads files. */
import { readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { insideOf } from './inside-of.ts'

/** A `paths` map of a TypeScript project: pattern (at most one `*`) → absolute targets, most specific pattern first. */
export type PathMap = readonly (readonly [pattern: string, targets: readonly string[]])[]

/** Source files whose text is followed. */
const SOURCE = /\.[mc]?[tj]sx?$/

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

/** A source larger than this is bundled or data: it isn't followed. */
const MAX_SOURCE_BYTES = 2_000_000

/** What a walk found. */
export interface Walk {
  /** Absolute; the entries are among them. */
  readonly files: readonly string[]
  /** Specifiers that no path and no `paths` entry explains: packages, or no specifiers at all. */
  readonly bare: ReadonlySet<string>
}

/**
 * The files that `entries` (absolute) load: relative and path-mapped imports, and files they name by a relative path, over any number of steps.
 * @param within only files below this folder, and not below a `node_modules`, are followed.
 */
export function sourcesFrom(entries: readonly string[], paths: PathMap, within: string): Walk {
  const found = new Set<string>()
  const bare = new Set<string>()
  const waiting = entries.filter((entry) => statOf(entry)?.isFile())
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file) || insideOf(within, file) === null || /[/\\]node_modules[/\\]/.test(file)) continue
    found.add(file)
    for (const name of namesIn(file)) {
      const target = /^\.{1,2}\//.test(name) ? existing(resolve(dirname(file), name)) : mapped(name, paths)
      if (target !== undefined) waiting.push(target)
      else bare.add(name)
    }
  }
  return { files: [...found], bare }
}

/** The file that a bare specifier is mapped to. */
export function mapped(specifier: string, paths: PathMap): string | undefined {
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
      const file = existing(target.replace('*', () => middle))
      if (file !== undefined) return file
    }
  }
  return undefined
}

/** Finds the real folders of packages that are linked into the workspace from outside of `node_modules`, as seen from the folder `from`. */
export function packageLinks(from: string, within: string): (name: string) => string | undefined {
  const root = realpathSync(within)
  const shelves: string[] = []
  for (let folder = from; insideOf(within, folder) !== null; folder = dirname(folder)) {
    const shelf = join(folder, 'node_modules')
    if (statOf(shelf) !== undefined) shelves.push(shelf)
    if (folder === dirname(folder)) break
  }
  const found = new Map<string, string | undefined>()
  return (name) => {
    const [, packageName] = /^((?:@[^/@\s]+\/)?[^/@.\s:][^/\s:]*)(?:\/|$)/.exec(name) ?? []
    if (packageName === undefined) return undefined
    if (!found.has(packageName)) found.set(packageName, linkedFolder(packageName, shelves, root))
    return found.get(packageName)
  }
}

function linkedFolder(packageName: string, shelves: readonly string[], root: string): string | undefined {
  const place = shelves.map((shelf) => join(shelf, packageName)).find((path) => statOf(path) !== undefined)
  if (place === undefined) return undefined
  const real = realpathSync(place)
  return /[/\\]node_modules[/\\]/.test(real) || insideOf(root, real) === null ? undefined : real
}

interface Known {
  readonly signature: string
  readonly names: readonly string[]
}

/** What each file names, by its path: Nx' daemon asks again after every change, and most files are as they were. */
const known = new Map<string, Known>()

function namesIn(file: string): readonly string[] {
  const stat = statOf(file)
  if (stat === undefined || !SOURCE.test(file) || stat.size > MAX_SOURCE_BYTES) return []
  const signature = `${stat.mtimeMs} ${stat.size} ${stat.ino}`
  const before = known.get(file)
  if (before?.signature === signature) return before.names
  const names = specifiersIn(readFileSync(file, 'utf8'))
  known.set(file, { signature, names })
  return names
}

/** Quoted paths that begin with `./` or `../` wherever they stand, and whatever is imported or required. */
function specifiersIn(source: string): string[] {
  const names = new Set<string>()
  for (const [, name] of source.matchAll(/["'`](\.{1,2}\/[^"'`\s$]{1,256})["'`]/g)) names.add(name ?? '')
  for (const [, name] of source.matchAll(/(?:from|import|require)\s*\(?\s*["'`]([^"'`\s$]{1,256})["'`]/g))
    names.add(name ?? '')
  return [...names].filter((name) => !name.startsWith('node:'))
}

function existing(path: string): string | undefined {
  const source = path.replace(/\.([mc]?)js(x?)$/, '.$1ts$2')
  return [...ENDINGS.map((ending) => `${path}${ending}`), source].find((candidate) => statOf(candidate)?.isFile())
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // ENOTDIR, ENAMETOOLONG, EACCES: the name is none of a file that a run could load.
    return undefined
  }
}
