/** Looks whether the files are there that a launch needs, before anything is made or started. */
import { statSync } from 'node:fs'
import { show } from '../config/option-error.ts'
import type { SmokeSpec } from '../config/resolve.ts'
import { entryOf } from './argv.ts'
import { LaunchError } from './launch-error.ts'
import { buildCommand, namedBuiltEntry } from './workspace.ts'

/**
 * Checks the entry, the TypeScript project of `src` mode, and the caller's folders.
 * `configPath` is not looked for: `prepare` may write it, and the bin judges it.
 * @throws LaunchError naming the first that is missing.
 */
export function checkFiles(spec: SmokeSpec): void {
  const entry = entryOf(spec)
  if (spec.mode === 'src') {
    requireA('file', 'binScript', entry)
    if (spec.tsconfigPath !== null) requireA('file', 'tsconfigPath', spec.tsconfigPath)
  } else if (!isA('file', entry)) {
    throw new LaunchError('launch', missingBuiltEntry(spec.label, entry))
  }
  if (spec.world.cwd !== null) requireA('folder', 'cwd', spec.world.cwd)
  if (spec.world.parent !== null) requireA('folder', 'tempDirParent', spec.world.parent)
}

function missingBuiltEntry(label: string, entry: string): string {
  const named = namedBuiltEntry(entry)
  const lines = [`${label} has no built entry ${entry}`, `Next: run \`${buildCommand(entry)}\` first.`]
  if (named !== null)
    lines.push(`package.json names the built entry ${named}: pass it as libBinScript (libBin) if that is the one.`)
  return lines.join('\n')
}

function requireA(what: 'file' | 'folder', option: string, path: string): void {
  if (isA(what, path)) return
  const is = isA(what === 'file' ? 'folder' : 'file', path) ? `, which is a ${what === 'file' ? 'folder' : 'file'}` : ''
  const next = is === '' ? `create it, or correct ${option}.` : `correct ${option}.`
  throw new LaunchError('options', `${option} must be an existing ${what}, got ${show(path)}${is}.\nNext: ${next}`)
}

function isA(what: 'file' | 'folder', path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return what === 'file' ? stat?.isFile() === true : stat?.isDirectory() === true
}
