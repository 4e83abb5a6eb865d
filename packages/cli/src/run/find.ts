/** Finds smoke files: the one of the current folder, or else all below it. */
import { accessSync, constants, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findSmokeFile } from '@loader-smoke/harness/config'

/** Deeper folders are not searched. */
const MAX_DEPTH = 6

/** Absolute paths, in the order of their folders. @throws OptionError for a folder that has two. */
export function findSmokeFiles(folder: string): string[] {
  const own = findSmokeFile(folder)
  return own === undefined ? below(folder, MAX_DEPTH) : [own]
}

/** What to do in a folder that has no smoke file in or below it. People call from `src`, too. */
export function whereNoneIs(folder: string): string {
  const above = nearestAbove(folder)
  return above === null
    ? 'write one with `npx loader-smoke init`, or name it with --config.'
    : `call it in ${dirname(above)}, which has one, or name that one with --config.`
}

function nearestAbove(folder: string): string | null {
  const parent = dirname(folder)
  return parent === folder ? null : (findSmokeFile(parent) ?? nearestAbove(parent))
}

function below(folder: string, depth: number): string[] {
  if (depth === 0) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name }) => {
      const child = join(folder, name)
      return mayBeRead(child) ? [findSmokeFile(child) ?? [], below(child, depth - 1)].flat() : []
    })
}

/** The data of a database, say, that a container left in the workspace: nothing in such a folder could be run. */
function mayBeRead(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK)
    return true
  } catch {
    // Not permitted, or gone since it was listed.
    return false
  }
}
