/** A TypeScript project, the files it extends, and the `paths` map that comes of it. Reads files. */
import { dirname, isAbsolute, join, parse as parsePath, resolve } from 'node:path'
import { type FileView, fileView } from './file-view.ts'
import { packageLinks, type PathMap } from './source-walk.ts'

/** The part of a tsconfig that is read here. */
interface Tsconfig {
  readonly extends?: unknown
  readonly compilerOptions?: { readonly baseUrl?: unknown; readonly paths?: unknown }
}

/** Gives the value of a JSON text with comments and trailing commas, as TypeScript takes it; throws for any other text. */
export type ParseJson = (text: string) => unknown

/** The files of the chains of `entries` (absolute; those that don't exist are left out), and the `paths` of the first entry that has any. */
export function tsconfigChain(
  entries: readonly string[],
  parse: ParseJson,
  view: FileView = fileView(),
): {
  readonly files: readonly string[]
  readonly paths: PathMap
} {
  const files = new Set<string>()
  const walk = { seen: files, read: lenient(parse), view }
  let paths: PathMap | undefined
  for (const entry of entries) {
    const found = follow(entry, walk)
    paths ??= found
  }
  return { files: [...files], paths: paths ?? [] }
}

interface ChainWalk {
  readonly seen: Set<string>
  readonly read: (text: string) => Tsconfig
  readonly view: FileView
}

/** Adds the chain of `file` to `seen`; gives its `paths`, where the nearest wins, as TypeScript has it. */
function follow(file: string, walk: ChainWalk): PathMap | undefined {
  const { seen, read, view } = walk
  if (seen.has(file) || view.kindOf(file) !== 'file') return undefined
  seen.add(file)
  const config = view.parsed(file, read) ?? {}
  const bases = (Array.isArray(config.extends) ? (config.extends as unknown[]) : [config.extends]).filter(
    (base) => typeof base === 'string',
  )
  let inherited: PathMap | undefined
  for (const base of bases) {
    const isPath = /^\.{1,2}(?:[/\\]|$)/.test(base) || isAbsolute(base)
    const at = isPath ? resolve(dirname(file), base) : inLinkedPackage(base, file, view)
    // Installed packages are external dependencies: task runners hash them from the lockfile.
    if (at === undefined) continue
    inherited = follow(view.kindOf(at) === 'file' ? at : `${at}.json`, walk) ?? inherited
  }
  return pathsOf(config, file) ?? inherited
}

/** The place that `base` names, of a package that `node_modules` only links to. */
function inLinkedPackage(base: string, file: string, view: FileView): string | undefined {
  const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(base) ?? []
  const folder = packageLinks(dirname(file), parsePath(file).root, view)(name)
  return folder === undefined ? undefined : join(folder, base.slice(name.length) || 'tsconfig.json')
}

function pathsOf({ compilerOptions }: Tsconfig, file: string): PathMap | undefined {
  const { baseUrl, paths } = compilerOptions ?? {}
  if (typeof paths !== 'object' || paths === null) return undefined
  const from = resolve(dirname(file), typeof baseUrl === 'string' ? baseUrl : '.')
  return Object.entries(paths)
    .map(([pattern, targets]): [string, string[]] => [
      pattern,
      (Array.isArray(targets) ? (targets as unknown[]) : [])
        .filter((target) => typeof target === 'string')
        .map((target) => resolve(from, target)),
    ])
    .toSorted(([a], [b]) => specificity(b) - specificity(a))
}

/** Patterns with the longest text before their `*` come first, exact ones before all. */
function specificity(pattern: string): number {
  return pattern.includes('*') ? pattern.indexOf('*') : Number.MAX_SAFE_INTEGER
}

/** One function for each parser, so that a view parses a text once however many chains it is in. */
const lenientOf = new WeakMap<ParseJson, (text: string) => Tsconfig>()

function lenient(parse: ParseJson): (text: string) => Tsconfig {
  const known = lenientOf.get(parse)
  if (known !== undefined) return known
  const read = (text: string): Tsconfig => {
    try {
      return (parse(text) ?? {}) as Tsconfig
    } catch {
      // No JSON: the run will say so. Its own text is an input already.
      return {}
    }
  }
  lenientOf.set(parse, read)
  return read
}
