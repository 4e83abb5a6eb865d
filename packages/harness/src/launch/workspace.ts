/** What the folders above a file say: the package that owns it, and how this workspace builds. Reads files. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/** A `package.json`, as far as it is read here. */
export interface Manifest {
  /** Absolute path of the `package.json`. */
  readonly file: string
  readonly folder: string
  readonly name: string | null
  readonly content: Readonly<Record<string, unknown>>
}

const LOCKFILES = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
] as const

/** The `package.json` nearest above `file`, or null. One that is no JSON object counts as none. */
export function owningManifest(file: string): Manifest | null {
  for (const folder of foldersAbove(file)) {
    const manifest = readManifest(folder)
    if (manifest !== null) return manifest
  }
  return null
}

/** The command that builds the package which owns `file`, as one types it anywhere in the workspace. */
export function buildCommand(file: string): string {
  const owner = owningManifest(file)
  const manager = packageManager(file)
  if (owner === null || owner.name === null || !('build' in scriptsOf(owner))) return `${manager} run build`
  const root = workspaceRoot(file)
  if (root === null || root === owner.folder) return `${manager} run build`
  switch (manager) {
    case 'pnpm':
      return `pnpm --filter ${owner.name} run build`
    case 'yarn':
      return `yarn workspace ${owner.name} run build`
    case 'bun':
      return `bun run --filter ${owner.name} build`
    default:
      return `npm run build --workspace ${owner.name}`
  }
}

/**
 * The built entry that the owner's `package.json` names for the same thing as `built`: a `bin` of that file name, else the `exports`
 * entry of that name. Null when it names none, or `built` itself. Absolute.
 */
export function namedBuiltEntry(built: string): string | null {
  const owner = owningManifest(built)
  if (owner === null) return null
  const stem = stemOf(built)
  const { bin, exports } = owner.content as { bin?: unknown; exports?: unknown }
  const bins = typeof bin === 'string' ? [bin] : Object.values(toRecord(bin)).filter((path) => typeof path === 'string')
  const only = bins.length === 1 ? bins[0] : undefined
  const named = bins.find((path) => stemOf(path) === stem) ?? only ?? defaultTarget(toRecord(exports)[`./${stem}`])
  const path = named === undefined ? null : join(owner.folder, named)
  return path === built ? null : path
}

function packageManager(file: string): string {
  for (const folder of foldersAbove(file)) {
    const declared = readManifest(folder)?.content['packageManager']
    if (typeof declared === 'string') return declared.split('@')[0] || 'npm'
    const lockfile = LOCKFILES.find(([name]) => existsSync(join(folder, name)))
    if (lockfile !== undefined) return lockfile[1]
  }
  return 'npm'
}

function workspaceRoot(file: string): string | null {
  return foldersAbove(file).find(isWorkspaceRoot) ?? null
}

function isWorkspaceRoot(folder: string): boolean {
  return existsSync(join(folder, 'pnpm-workspace.yaml')) || readManifest(folder)?.content['workspaces'] !== undefined
}

function readManifest(folder: string): Manifest | null {
  const file = join(folder, 'package.json')
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof content !== 'object' || content === null) return null
    const { name } = content as { name?: unknown }
    return { file, folder, name: typeof name === 'string' ? name : null, content: content as Manifest['content'] }
  } catch {
    // Absent, unreadable or no JSON: hints are built without it; whoever needs the file itself will report it.
    return null
  }
}

/** The folders from that of `file` up to the root. */
function foldersAbove(file: string): string[] {
  const folders: string[] = []
  for (let folder = dirname(file); folders.at(-1) !== folder; folder = dirname(folder)) folders.push(folder)
  return folders
}

/** The `default` (or `import`, or `node`) target of an `exports` entry. */
function defaultTarget(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry
  const conditions = toRecord(entry)
  const next = conditions['import'] ?? conditions['node'] ?? conditions['default']
  return next === undefined ? undefined : defaultTarget(next)
}

function scriptsOf(manifest: Manifest): Readonly<Record<string, unknown>> {
  return toRecord(manifest.content['scripts'])
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

function stemOf(path: string): string {
  return (path.split(/[/\\]/).at(-1) ?? '').replace(/\.[^.]+$/, '')
}

/** `file` as it is shown beside the folder it was looked up from: relative when below it. */
export function shownFrom(folder: string, file: string): string {
  const path = relative(folder, file)
  return path === '' || path.startsWith(`..${sep}`) ? file : path
}
