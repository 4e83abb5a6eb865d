/** Follows what a smoke's options name through the files: which files and folders a run reads that its project's own files don't hold. */
import { readFileSync, type Stats, statSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseJson } from '@nx/devkit'
import { type GivenOptions, pathNames } from '../declared/names.ts'
import { type Anchor, insideOf, slashed, toAbsolute } from '../declared/paths.ts'

/** Files and folders inside the workspace, relative to its root, sorted; forward slashes. */
export interface Named {
  readonly files: readonly string[]
  readonly folders: readonly string[]
}

/** Options that hold where to write or run, not what to read. */
const NOT_READ = new Set(['tempDirParent', 'cwd'])

/** Where a TypeScript project is looked for when a target names none. The executor takes the first; all that exist count as read, since creating an earlier one changes it. */
const TSCONFIGS = ['{projectRoot}/tsconfig.json', '{workspaceRoot}/tsconfig.base.json', '{workspaceRoot}/tsconfig.json']

/** Config files whose text is searched for further files. */
const FOLLOWED = /\.(?:ya?ml|jsonc?)$/

/** Nobody's config is larger; what is, is data. */
const MAX_FOLLOWED_BYTES = 1_000_000

/**
 * What the options of a smoke name, and what those files name in turn: a tsconfig its `extends`, a config its includes, patches and scripts.
 * Files inside the project are listed too: they may be ignored by git, and Nx doesn't hash ignored files by itself.
 */
export function namedBy(options: GivenOptions, anchor: Anchor): Named {
  const found: Found = { files: new Set(), folders: new Set(), anchor }
  const tsconfig = options['tsconfigPath']
  for (const path of typeof tsconfig === 'string' ? [tsconfig] : TSCONFIGS)
    followTsconfig(toAbsolute(path, anchor), found)
  for (const path of pathsIn(options)) followConfig(toAbsolute(path, anchor), found)
  const relative = (paths: ReadonlySet<string>) =>
    [...paths]
      .map((path) => insideOf(anchor.workspaceRoot, path))
      .filter((path): path is string => path !== null && path !== '' && !path.split('/').includes('node_modules'))
      .toSorted()
  return { files: relative(found.files), folders: relative(found.folders) }
}

interface Found {
  readonly files: Set<string>
  readonly folders: Set<string>
  readonly anchor: Anchor
}

function pathsIn(options: GivenOptions): string[] {
  const { model, binArgs, args } = options as { model?: unknown; binArgs?: unknown; args?: unknown }
  const script = typeof model === 'object' && model !== null ? (model as { script?: unknown }).script : model
  const named = pathNames.filter((name) => name !== 'tsconfigPath' && !NOT_READ.has(name)).map((name) => options[name])
  const listed = [binArgs, args].flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : []))
  const loader = options['sourceImport']
  return [
    ...named,
    script,
    ...listed,
    typeof loader === 'string' && /^(?:\.|\/|\{)/.test(loader) ? loader : undefined,
  ].filter((value): value is string => typeof value === 'string' && value !== '')
}

function followTsconfig(path: string, found: Found): void {
  if (found.files.has(path) || !statOf(path)?.isFile()) return
  found.files.add(path)
  for (const base of extendsOf(path)) {
    const relative = /^\.{1,2}(?:[/\\]|$)/.test(base) || isAbsolute(base)
    const at = relative ? resolve(dirname(path), base) : undefined
    if (at === undefined) continue
    followTsconfig(statOf(at)?.isFile() ? at : `${at}.json`, found)
  }
}

/** The `extends` of a tsconfig; packages in it are external dependencies, which Nx hashes from the lockfile. */
function extendsOf(path: string): string[] {
  try {
    const config = parseJson(readFileSync(path, 'utf8'), { allowTrailingComma: true, disallowComments: false }) as {
      extends?: unknown
    }
    const bases: unknown[] = Array.isArray(config.extends) ? config.extends : [config.extends]
    return bases.filter((base): base is string => typeof base === 'string')
  } catch {
    // No JSON: the run will say so. Its own text is an input already.
    return []
  }
}

function followConfig(path: string, found: Found): void {
  if (found.files.has(path) || found.folders.has(path)) return
  const stat = statOf(path)
  if (stat?.isDirectory()) addFolder(path, found)
  if (!stat?.isFile()) {
    // Named and not there (yet): that it is missing is part of what a run sees.
    if (stat === undefined && /\.[a-z]+$/i.test(path)) found.files.add(path)
    return
  }
  found.files.add(path)
  if (!FOLLOWED.test(path) || stat.size > MAX_FOLLOWED_BYTES) return
  for (const name of namesIn(readFileSync(path, 'utf8'))) {
    const target = toPath(name, dirname(path))
    const there = target === undefined ? undefined : statOf(target)
    if (target !== undefined && there !== undefined) followConfig(target, found)
  }
}

/** A folder that holds the project isn't read as a whole. */
function addFolder(path: string, { anchor, folders }: Found): void {
  const project = resolve(anchor.workspaceRoot, anchor.projectRoot)
  if (insideOf(path, project) === null && insideOf(project, path) === null) folders.add(path)
}

/**
 * Every word in a config that could name a file: quoted texts, the rest of a line after `key:` or `- `, and words with a slash or a known ending.
 * Looking at the words, not at the document, also finds names inside `!!js` expressions, and needs no knowledge of the app's schema.
 */
export function namesIn(text: string): string[] {
  const names = new Set<string>()
  for (const [, double, single] of text.matchAll(/"([^"\n]{1,512})"|'([^'\n]{1,512})'/g))
    names.add(double ?? single ?? '')
  for (const [, rest] of text.matchAll(/(?:^[ \t]*-|:)[ \t]+([^\n#]{1,512})/gm)) names.add((rest ?? '').trim())
  for (const [word] of text.matchAll(/[^\s"'`,[\]{}()#]{1,512}/g)) names.add(word)
  return [...names].filter((name) => /[/\\]|\.[a-z0-9]{1,5}$/i.test(name) && !/^[a-z]+:\/\/(?!\/)/i.test(name))
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

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // ENOTDIR, ENAMETOOLONG, EACCES: the word named no file that a run could read.
    return undefined
  }
}
