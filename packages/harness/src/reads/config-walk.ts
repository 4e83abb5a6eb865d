/** Walks from configs through what they include, patch and name. Reads files. */
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FileView, fileView } from './file-view.ts'
import { slashed } from './inside-of.ts'

/** What a walk found; absolute paths. */
export interface ConfigWalk {
  readonly files: ReadonlySet<string>
  readonly folders: ReadonlySet<string>
  /** Words that name no file: plugins, among others. */
  readonly names: ReadonlySet<string>
}

/** Config files whose text is searched for further files. */
const FOLLOWED = /\.(?:ya?ml|jsonc?)$/

/** Everything that `entries` (absolute) name, over any number of steps. An entry that isn't there counts as a file: that it is missing is part of what a run sees. */
export function configsFrom(entries: readonly string[], view: FileView = fileView()): ConfigWalk {
  const found = { files: new Set<string>(), folders: new Set<string>(), names: new Set<string>() }
  for (const entry of entries) {
    if (view.kindOf(entry) === undefined && /\.[a-z]+$/i.test(entry)) found.files.add(entry)
    else follow(entry, found, view)
  }
  return found
}

function follow(path: string, found: { readonly [Kind in keyof ConfigWalk]: Set<string> }, view: FileView): void {
  if (found.files.has(path) || found.folders.has(path)) return
  const kind = view.kindOf(path)
  if (kind === 'folder') found.folders.add(path)
  if (kind !== 'file') return
  found.files.add(path)
  if (!FOLLOWED.test(path)) return
  for (const name of view.parsed(path, wordsIn) ?? []) {
    // A single word is a package, not a file that happens to be called so.
    const target = /[/\\.]/.test(name) ? toPath(name, dirname(path)) : undefined
    if (target !== undefined && view.kindOf(target) !== undefined) follow(target, found, view)
    else found.names.add(name)
  }
}

/**
 * Every word in a config that could name a file or a plugin: quoted texts, the rest of a line after `key:` or `- `, and single words. Looking at the words, not at the document, also finds names inside `!!js` expressions, and needs no knowledge of the app's schema.
 */
export function wordsIn(text: string): string[] {
  const names = new Set<string>()
  for (const [, double, single] of text.matchAll(/"([^"\n]{1,512})"|'([^'\n]{1,512})'/g))
    names.add(double ?? single ?? '')
  for (const [, rest] of text.matchAll(/(?:^[ \t]*-|:)[ \t]+([^\n#]{1,512})/gm)) names.add((rest ?? '').trim())
  for (const [word] of text.matchAll(/[^\s"'`,[\]{}()#]{1,512}/g)) names.add(word)
  return [...names].filter((name) => isName(name) && !isUrl(name))
}

function isName(word: string): boolean {
  return /[/\\]|\.[a-z0-9]{1,5}$/i.test(word) || /^[a-z][\w.-]{2,}$/i.test(word)
}

function isUrl(word: string): boolean {
  return /^[a-z]+:\/\/(?!\/)/i.test(word)
}

function toPath(name: string, folder: string): string | undefined {
  if (name.includes('\0')) return undefined
  if (!name.startsWith('file:')) return resolve(folder, slashed(name))
  try {
    return fileURLToPath(name)
  } catch {
    // A file URL with a host or a bad escape names no file here.
    return undefined
  }
}
