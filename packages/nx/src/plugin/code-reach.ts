/** What the code of a `smoke.config.ts` can depend on, told from its text: what isn't plain is taken for anything. Reads files. */
import { dirname, resolve } from 'node:path'
import type { FileView } from '@loader-smoke/harness/config'

/** What else may be imported: packages and modules of Node whose code gives the same for the same. */
const PLAIN_IMPORT = /^(?:(?:node:)?(?:fs|path|url)|@loader-smoke\/(?:harness|model-replay|turn)(?:\/.*)?)$/

/** Of `node:fs`, what only writes. */
const WRITING = new Set(['appendFileSync', 'mkdirSync', 'writeFileSync'])

/** Whatever gives a value that may be another one next time. False alarms cost a run of the code. */
const UNPLAIN =
  /\b(?:process|fetch|Date|Math(?!\s*\.\s*(?!random\b)[a-zA-Z])|crypto|performance|globalThis|global|eval|Function|require|createRequire|WebSocket|EventSource|navigator|localStorage|sessionStorage|Intl|toLocale\w+|localeCompare|Temporal)\b|\bimport\s*\(\s*[^"'\s]|\bimport\s*\.\s*meta\b(?!\.(?:url|dirname|filename)\b)/

const PLAIN_PROCESS =
  /\bprocess\.(?:env\.(?<dotted>[A-Za-z_$][\w$]*)|env\[(?<quote>["'])(?<quoted>\w+)\k<quote>\]|platform\b|arch\b|version\b)/g

/** What one source depends on. */
interface Reach {
  /** False when it may depend on more than the names and paths below. */
  readonly plain: boolean
  /** Names of the environment. */
  readonly names: readonly string[]
  /** What it imports by a path. */
  readonly paths: readonly string[]
}

/** What each module of this process saw when it was evaluated, which is once: Node gives what came of that again, whatever is there by now. */
const evaluated = new Map<string, string>()

/**
 * The names of the environment that the code of `file` (absolute) depends on, beside its own text and what it imports by a path, which are looked at here.
 * Undefined when it may depend on more: on another package, on files it reads, on the clock, on a text or a value of the environment that an import had before in this process.
 * Call it before each import of the code.
 */
export function codeReach(file: string, view: FileView): readonly string[] | undefined {
  const names = new Set<string>()
  const files = new Set([file])
  let plain = true
  // A set gives what is added while it is walked, too.
  for (const path of files) {
    const reach = view.parsed(path, path.endsWith('.json') ? reachOfData : reachOf)
    if (reach === undefined) plain = false
    else {
      const real = view.realOf(path) ?? path
      const text = view.answer('text', path)
      // A changed smoke file itself is another module.
      const module = path === file ? `${real} ${text}` : real
      if (!seesTheSame(module, [text, ...reach.names.map((name) => process.env[name])])) plain = false
      plain &&= reach.plain
      for (const name of reach.names) names.add(name)
      for (const name of reach.paths) files.add(resolve(dirname(real), name))
    }
  }
  return plain ? [...names] : undefined
}

/** True for a module that is evaluated now, or saw the same when it was. */
function seesTheSame(module: string, sees: readonly (string | undefined)[]): boolean {
  const now = JSON.stringify(sees)
  const before = evaluated.get(module) ?? now
  evaluated.set(module, before)
  return before === now
}

function reachOfData(): Reach {
  return { plain: true, names: [], paths: [] }
}

function reachOf(source: string): Reach {
  const names: string[] = []
  const rest = source.replaceAll(PLAIN_PROCESS, (...match) => {
    const { dotted, quoted } = match.at(-1) as { readonly dotted?: string; readonly quoted?: string }
    const name = dotted ?? quoted
    if (name !== undefined) names.push(name)
    return ''
  })
  const imports = [...source.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"'\n]+)["']/g)].map(([, name = '']) => name)
  const paths = imports.filter((name) => /^\.{1,2}\//.test(name))
  const known = imports.every((name) => paths.includes(name) || PLAIN_IMPORT.test(name))
  return { plain: known && !UNPLAIN.test(rest) && onlyWrites(source), names, paths }
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
