/** Finds the packages of this plugin that are sources of the workspace itself: Nx doesn't hash a local plugin's source by itself. */
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { insideOf } from '../declared/paths.ts'

/** What the executor runs on, beside itself. */
const PACKAGES = ['@loader-smoke/nx', '@loader-smoke/harness', '@loader-smoke/model-replay', '@loader-smoke/turn']

/** The folders, relative to the workspace root, of the packages that live in it and not below a `node_modules`; sorted. */
export function ownSources(workspaceRoot: string): string[] {
  const root = realpathSync(workspaceRoot)
  const require = createRequire(join(workspaceRoot, 'package.json'))
  const folders = PACKAGES.map((name) => folderOf(name, require) ?? folderOf(name, createRequire(import.meta.url)))
  return folders
    .filter((folder) => folder !== undefined)
    .map((folder) => insideOf(root, realpathSync(folder)))
    .filter((folder): folder is string => folder !== null && !folder.split('/').includes('node_modules'))
    .toSorted()
}

function folderOf(name: string, require: NodeJS.Require): string | undefined {
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      return dirname(realpathSync(join(folder, name, 'package.json')))
    } catch {
      // Not below this node_modules folder; the next one up may have it.
    }
  }
  return undefined
}
