/** What the code of a `smoke.config.ts` can depend on, told from its text: what isn't plain is taken for anything. Reads files. */
import { dirname, resolve } from 'node:path'
import type { FileView } from '@loader-smoke/harness/config'

/** What else may be imported: packages and modules of Node whose code gives the same for the same. */
const PLAIN_IMPORT = /^(?:(?:node:)?(?:fs|path|url)|@loader-smoke\/(?:harness|model-replay|turn)(?:\/.*)?)$/

/** Of `node:fs`, what only writes. */
const WRITING = new Set(['appendFileSync', 'mkdirSync', 'writeFileSync'])

/** Whatever gives a value that may be another one next time. False alarms cost a run of the code. */
const UNPLAIN =
  /\b(?:process|fetch|Date|Math\s*\.\s*random|Math\s*\[|crypto|performance|globalThis|global|eval|Function|require|createRequire|WebSocket|EventSource|navigator|Intl|Temporal)\b|\bimport\s*\(\s*[^"'\s]|\bimport\.meta\.(?!url\b|dirname\b|filename\b)/

const PLAIN_PROCESS =
  /\bprocess\.(?:env\.(?<dotted>[A-Za-z_$][\w$]*)|env\[(?<quote>["'])(?<quoted>\w+)\k<quote>\]|platform\b|arch\b|version\b)/g

/** One source, as far as it is plain. */
interface Reach {
  /** Names of the environment. */
  readonly names: readonly string[]
  /** What it imports by a path. */
  readonly paths: readonly string[]
}

/**
 * The names of the environment that the code of `file` (absolute) depends on, beside its own text and what it imports by a path, which are looked at here.
 * Undefined when it may depend on more: on another package, on files it reads, on the clock.
 */
export function codeReach(file: string, view: FileView): readonly string[] | undefined {
  const names = new Set<string>()
  const files = new Set([file])
  // A set gives what is added while it is walked, too.
  for (const path of files) {
    const reach = view.parsed(path, path.endsWith('.json') ? reachOfData : reachOf)
    if (reach === undefined || reach === null) return undefined
    for (const name of reach.names) names.add(name)
    for (const imported of reach.paths) files.add(resolve(dirname(path), imported))
  }
  return [...names]
}

function reachOfData(): Reach {
  return { names: [], paths: [] }
}

/** Null for a source that isn't plain. */
function reachOf(source: string): Reach | null {
  const names: string[] = []
  const rest = source.replaceAll(PLAIN_PROCESS, (...match) => {
    const { dotted, quoted } = match.at(-1) as { readonly dotted?: string; readonly quoted?: string }
    const name = dotted ?? quoted
    if (name !== undefined) names.push(name)
    return ''
  })
  const imports = [...source.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"'\n]+)["']/g)].map(([, name = '']) => name)
  const paths = imports.filter((name) => /^\.{1,2}\//.test(name))
  const plain = imports.every((name) => paths.includes(name) || PLAIN_IMPORT.test(name))
  return plain && !UNPLAIN.test(rest) && onlyWrites(source) ? { names, paths } : null
}

/** True when `node:fs` is imported for nothing but what writes. */
function onlyWrites(source: string): boolean {
  const rest = source.replaceAll(
    /\bimport\s*\{([^{}]*)\}\s*from\s*["'](?:node:)?fs["']/g,
    (whole: string, names: string) =>
      names.split(',').every((name) => name.trim() === '' || WRITING.has(name.trim())) ? '' : whole,
  )
  return !/["'](?:node:)?fs["']/.test(rest)
}
