/** A TypeScript project, the files it extends, and the `paths` map that comes of it. Reads files. */
import { readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import type { PathMap } from './source-walk.ts'

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
): {
  readonly files: readonly string[]
  readonly paths: PathMap
} {
  const files = new Set<string>()
  let paths: PathMap | undefined
  for (const entry of entries) {
    const found = follow(entry, files, parse)
    paths ??= found
  }
  return { files: [...files], paths: paths ?? [] }
}

/** Adds the chain of `file` to `seen`; gives its `paths`, where the nearest wins, as TypeScript has it. */
function follow(file: string, seen: Set<string>, parse: ParseJson): PathMap | undefined {
  if (seen.has(file) || !isFile(file)) return undefined
  seen.add(file)
  const config = read(file, parse)
  const bases = (Array.isArray(config.extends) ? (config.extends as unknown[]) : [config.extends]).filter(
    (base) => typeof base === 'string',
  )
  let inherited: PathMap | undefined
  for (const base of bases) {
    // Packages in `extends` are external dependencies: task runners hash them from the lockfile.
    if (!/^\.{1,2}(?:[/\\]|$)/.test(base) && !isAbsolute(base)) continue
    const at = resolve(dirname(file), base)
    inherited = follow(isFile(at) ? at : `${at}.json`, seen, parse) ?? inherited
  }
  return pathsOf(config, file) ?? inherited
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

function read(file: string, parse: ParseJson): Tsconfig {
  try {
    return (parse(readFileSync(file, 'utf8')) ?? {}) as Tsconfig
  } catch {
    // No JSON: the run will say so. Its own text is an input already.
    return {}
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
