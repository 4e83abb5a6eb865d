/** Looks whether the files are there that a launch needs, before anything is made or started. */
import { statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { show } from '../config/option-error.ts'
import type { SmokeSpec } from '../config/resolve.ts'
import { IN_CODE, nameOf, writtenAs, type WrittenNames } from '../config/written-names.ts'
import { entryOf } from './argv.ts'
import { LaunchError } from './launch-error.ts'
import { checkTsconfig } from './tsconfig.ts'
import { buildCommand, namedBuiltEntry } from './workspace.ts'

/**
 * Checks the entry, the TypeScript project of `src` mode, and the caller's folders.
 * `configPath` need not be there, since `prepare` may write it and the bin judges it; but it must not be a folder.
 * @param names what the options are called in messages.
 * @throws LaunchError naming the first that is missing or of another kind.
 */
export function checkFiles(spec: SmokeSpec, names: WrittenNames = IN_CODE): void {
  const entry = entryOf(spec)
  if (spec.mode === 'src') {
    requireA('file', 'binScript', entry, names)
    requireLoader(spec.loader, names)
    if (spec.tsconfigPath !== null) {
      requireA('file', 'tsconfigPath', spec.tsconfigPath, names)
      checkTsconfig(spec.tsconfigPath, names)
    }
  } else if (!isA('file', entry)) {
    throw new LaunchError('launch', missingBuiltEntry(spec.label, entry))
  }
  if (spec.world.cwd !== null) requireA('folder', 'cwd', spec.world.cwd, names)
  if (spec.world.parent !== null) requireA('folder', 'tempDirParent', spec.world.parent, names)
  refuseFolder(spec, names)
}

/** A loader that is named by a path; one that is a package is looked for where packages are. */
function requireLoader(loader: string, names: WrittenNames): void {
  if (isAbsolute(loader)) requireA('file', 'sourceImport', loader, names)
  else if (loader.startsWith('file:') && URL.canParse(loader)) requireA('file', 'sourceImport', new URL(loader), names)
}

/** A relative path that starts in a temporary folder names nothing yet. */
function refuseFolder({ configPath, world: { cwd } }: SmokeSpec, names: WrittenNames): void {
  if (configPath === null || (cwd === null && !isAbsolute(configPath))) return
  if (isA('folder', resolve(cwd ?? '/', configPath)))
    throw wrongKind('a file', 'configPath', configPath, 'folder', names)
}

function missingBuiltEntry(label: string, entry: string): string {
  const named = namedBuiltEntry(entry)
  const lines = [`${label} has no built entry ${entry}`, `Next: run \`${buildCommand(entry)}\` first.`]
  if (named !== null)
    lines.push(`package.json names the built entry ${named}: pass it as libBinScript (libBin) if that is the one.`)
  return lines.join('\n')
}

function requireA(what: 'file' | 'folder', option: string, path: string | URL, names: WrittenNames): void {
  if (isA(what, path)) return
  const other = what === 'file' ? 'folder' : 'file'
  if (isA(other, path)) throw wrongKind(`an existing ${what}`, option, path, other, names)
  throw new LaunchError(
    'options',
    `${writtenAs(option, names)} must be an existing ${what}, got ${show(String(path))}.\nNext: create it, or correct ${nameOf(option, names)}.`,
  )
}

function wrongKind(
  allowed: string,
  option: string,
  path: string | URL,
  is: 'file' | 'folder',
  names: WrittenNames,
): LaunchError {
  return new LaunchError(
    'options',
    `${writtenAs(option, names)} must be ${allowed}, got ${show(String(path))}, which is a ${is}.\nNext: correct ${nameOf(option, names)}.`,
  )
}

/** A path that can't be looked at (too long, no permission, through a file, a URL of another host) is as good as none: nothing can be run from there. */
function isA(what: 'file' | 'folder', path: string | URL): boolean {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return what === 'file' ? stat?.isFile() === true : stat?.isDirectory() === true
  } catch {
    return false
  }
}
