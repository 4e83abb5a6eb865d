/** Rewrites the imports of one source file. Pure. */
import { HARNESS, KNOWN_NAMES, type Left } from './names.ts'

/** A file after its rewriting. */
export interface Rewritten {
  /** The same text when there was nothing to do. */
  readonly text: string
  readonly left: readonly Left[]
  /** An import of the old package is among what was left, so its dependency must stay. */
  readonly stillImports: boolean
}

/** What stands before the name of a module: a clause's `from`, a bare import, a call, the mocks of vitest and jest. */
const BEFORE = String.raw`(?:\bfrom\s*|\bimport\s*(?:\(\s*)?|\brequire(?:\.resolve)?\s*\(\s*|\bimport\.meta\.resolve\s*\(\s*|\b(?:vi|jest)\.\w+\s*(?:<[^>]*>)?\(\s*(?:import\(\s*)?|\bdeclare\s+module\s+)`

/** Replaces each import of the package `from` by one of the harness, as long as the harness has what is imported. */
export function rewriteImports(text: string, from: string): Rewritten {
  const left: Left[] = []
  const name = escape(from)
  const kept = new Set<number>()
  for (const clause of text.matchAll(
    new RegExp(String.raw`\b(?:import|export)\s+(?:type\s+)?(?:\w+\s*,\s*)?\{([^}]*)\}\s*from\s*(['"])${name}\2`, 'g'),
  )) {
    const missing = namesIn(clause[1] ?? '').filter((one) => !KNOWN_NAMES.has(one))
    if (missing.length === 0) continue
    const at = clause.index + clause[0].length - from.length - 1
    kept.add(at)
    left.push({ line: lineOf(text, at), why: `imports ${missing.join(', ')}, which ${HARNESS} does not have` })
  }
  const rewritten = text.replace(
    new RegExp(`(${BEFORE})(['"])${name}\\2`, 'g'),
    (whole, before: string, quote: string, at: number) =>
      kept.has(at + before.length + 1) ? whole : `${before}${quote}${HARNESS}${quote}`,
  )
  const subpaths = [...text.matchAll(new RegExp(`${BEFORE}['"]${name}/([^'"]+)['"]`, 'g'))]
  for (const { 0: whole, 1: subpath = '', index } of subpaths)
    left.push({
      line: lineOf(text, index + whole.length),
      why: `imports the subpath ./${subpath}, which ${HARNESS} does not have`,
    })
  return {
    text: rewritten,
    left: [...left, ...mentions(rewritten, from).filter(({ line }) => !left.some((one) => one.line === line))],
    stillImports: left.length > 0,
  }
}

/** Lines that name the package without importing it. */
export function mentions(text: string, from: string): Left[] {
  const name = new RegExp(String.raw`(?<![\w@/-])${escape(from)}(?![\w-])`)
  return text
    .split('\n')
    .flatMap((line, index) =>
      name.test(line) ? [{ line: index + 1, why: 'names the package, and is no import' }] : [],
    )
}

/** The imported names of a clause's braces: `type A as B, c` has A and c. */
function namesIn(clause: string): string[] {
  return clause
    .replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '')
    .split(',')
    .map(
      (one) =>
        one
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/)[0] ?? '',
    )
    .filter((one) => one !== '')
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)
}
