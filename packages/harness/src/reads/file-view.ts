/** One look at the file system: whatever is asked twice is answered from the first time, and a watcher can be told what a walk looked at. Reads files. */
import { createHash } from 'node:crypto'
import { readFileSync, realpathSync, type Stats, statSync } from 'node:fs'

/** A text larger than this is bundled or data: nobody reads on in it. */
const MAX_TEXT_BYTES = 2_000_000

/** What a path can be asked: what it is, the digest of its text, where it really lies. */
export type Question = 'kind' | 'text' | 'real'

/** The file system as walks see it, all of it at one time; paths are absolute. */
export interface FileView {
  /** What lies there, links followed; undefined where nothing does, or nothing that can be looked at. */
  kindOf(path: string): 'file' | 'folder' | 'other' | undefined
  /** What `parse` makes of the text of a file: called once for each text. Undefined where there is no file, or one too large to be followed. */
  parsed<T>(path: string, parse: (text: string) => T): T | undefined
  /** The path without links; undefined where nothing lies there. */
  realOf(path: string): string | undefined
  /** The answer in one word, the same as long as the walk would see the same. */
  answer(question: Question, path: string): string
}

/** Sees the file system as it is from now on: make one for each computation, and give it to every walk of it. */
export function fileView(): FileView {
  const stats = new Map<string, Stats | undefined>()
  const texts = new Map<string, string | undefined>()
  const reals = new Map<string, string | undefined>()
  const parsed = new Map<unknown, Map<string, unknown>>()
  const stat = (path: string) => remembered(stats, path, () => statOf(path))
  const text = (path: string) =>
    remembered(texts, path, () => {
      const found = stat(path)
      return found?.isFile() && found.size <= MAX_TEXT_BYTES ? textOf(path) : undefined
    })
  const view: FileView = {
    kindOf(path) {
      const found = stat(path)
      return found === undefined ? undefined : found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other'
    },
    parsed<T>(path: string, parse: (text: string) => T) {
      const results = remembered(parsed, parse, () => new Map<string, unknown>())
      return remembered(results, path, () => {
        const content = text(path)
        return content === undefined ? undefined : parse(content)
      }) as T | undefined
    },
    realOf: (path) => remembered(reals, path, () => (stat(path) === undefined ? undefined : realpathOf(path))),
    answer(question, path) {
      if (question === 'kind') return view.kindOf(path) ?? ''
      if (question === 'real') return view.realOf(path) ?? ''
      return view.parsed(path, digest) ?? ''
    },
  }
  return view
}

/** The same view, which tells `onLook` about every path that is looked at. */
export function watched(view: FileView, onLook: (question: Question, path: string) => void): FileView {
  return {
    kindOf(path) {
      onLook('kind', path)
      return view.kindOf(path)
    },
    parsed(path, parse) {
      onLook('text', path)
      return view.parsed(path, parse)
    },
    realOf(path) {
      onLook('real', path)
      return view.realOf(path)
    },
    answer(question, path) {
      onLook(question, path)
      return view.answer(question, path)
    },
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

function remembered<Key, Value>(known: Map<Key, Value>, key: Key, find: () => Value): Value {
  const before = known.get(key)
  if (before !== undefined || known.has(key)) return before as Value
  const value = find()
  known.set(key, value)
  return value
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // ENOTDIR, ENAMETOOLONG, EACCES: the word named nothing that a run could read.
    return undefined
  }
}

function realpathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    // Gone since it was looked at: an installation goes on, say.
    return undefined
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Gone since it was looked at, or not ours to read: a run could not read it either.
    return undefined
  }
}
