/** Finds the file and line that a failure points to, in what the run printed. Pure. */
import { fileURLToPath } from 'node:url'
import { toPlain } from './ansi.ts'

/** A place in one of the caller's own files. */
export interface Location {
  /** Absolute. */
  readonly file: string
  /** From 1; null when only the file is known. */
  readonly line: number | null
  readonly column: number | null
}

/** More of a text is not looked at: a stack is near its beginning or its end. */
const MAX_LOOKED_AT = 64 * 1024

/** A file URL or an absolute path with an extension, and the line and column behind it. */
const PLACE =
  /(?<path>file:\/\/\/[^\s"'`()<>|*]+?\.[a-z]{1,5}|(?:[a-z]:[\\/]|(?<![\w.:/\\-])\/)[^\n"'`()<>|*:]+?\.[a-z]{1,5})(?:\?[\w=.%&-]*)?(?::(?<line>\d{1,7})(?::(?<column>\d{1,7}))?|\((?<line2>\d{1,7}),(?<column2>\d{1,7})\))?(?![\w])/gi

/**
 * The first place with a line in a file below `root` that isn't installed or built by others, in the first of `texts` that names one;
 * else the first such file without a line.
 */
export function findLocation(texts: readonly string[], root: string): Location | null {
  const places = texts.flatMap((text) => placesIn(bounded(text), root))
  const first = places.find(({ line }) => line !== null) ?? places[0] ?? null
  // Node heads a stack with the file and line alone; the frame below it has the column.
  return (
    places.find(({ file, line, column }) => column !== null && file === first?.file && line === first.line) ?? first
  )
}

function placesIn(text: string, root: string): Location[] {
  const base = slashed(root).replace(/\/+$/, '')
  return [...toPlain(text).matchAll(PLACE)].flatMap(({ groups = {} }) => {
    const file = toPath(groups['path'] ?? '')
    const inside = slashed(file).startsWith(`${base}/`) ? slashed(file).slice(base.length) : null
    if (inside === null || /\/node_modules\//.test(inside)) return []
    const line = groups['line'] ?? groups['line2']
    const column = groups['column'] ?? groups['column2']
    return [
      { file, line: line === undefined ? null : Number(line), column: column === undefined ? null : Number(column) },
    ]
  })
}

function toPath(place: string): string {
  if (!place.startsWith('file:')) return place
  try {
    return fileURLToPath(place)
  } catch {
    // A URL with a host or an encoded slash is no path of this machine; nothing else makes fileURLToPath throw.
    return ''
  }
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/')
}

function bounded(text: string): string {
  return text.length <= 2 * MAX_LOOKED_AT ? text : `${text.slice(0, MAX_LOOKED_AT)}\n${text.slice(-MAX_LOOKED_AT)}`
}
