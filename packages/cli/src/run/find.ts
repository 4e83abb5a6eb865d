/** Finds smoke files: the one of the current folder, or else all below it. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findSmokeFile } from '@loader-smoke/harness/config'

/** Deeper folders are not searched. */
const MAX_DEPTH = 6

/** Absolute paths, in the order of their folders. @throws OptionError for a folder that has two. */
export function findSmokeFiles(folder: string): string[] {
  const own = findSmokeFile(folder)
  return own === undefined ? below(folder, MAX_DEPTH) : [own]
}

function below(folder: string, depth: number): string[] {
  if (depth === 0) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name }) => {
      const child = join(folder, name)
      return [findSmokeFile(child) ?? [], below(child, depth - 1)].flat()
    })
}
