/** Which bundles and packages an installation has. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Whether `packageName` is found from the file `anchor`, in the order of Node's own look-up; its `exports` don't matter. */
export function isInstalled(packageName: string, anchor: string): boolean {
  return folderOf(packageName, anchor) !== undefined
}

/** Names of the direct dependencies of the manifest `anchor` that are bundles, for suggestions. */
export function installedBundles(anchor: string): string[] {
  const { dependencies } = manifestAt(anchor)
  return Object.keys(Object(dependencies)).filter((name) => {
    const folder = folderOf(name, anchor)
    return folder !== undefined && manifestAt(join(folder, 'package.json'))['dsh']?.bundle !== undefined
  })
}

/** Names that the manifest at `file` declares, for suggestions. */
export function dependencyNames(file: string): string[] {
  const { dependencies, devDependencies, peerDependencies } = manifestAt(file)
  return Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies })
}

/** Names of the packages that are linked for the profiles of `home`, for suggestions. */
export function linkedPackages(home: string): string[] {
  const folder = join(home, 'profiles', 'node_modules')
  return namesIn(folder).flatMap((name) =>
    name.startsWith('@') ? namesIn(join(folder, name)).map((inner) => `${name}/${inner}`) : [name],
  )
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // Only suggestions are made from it; a folder that can't be read suggests nothing.
    return []
  }
}

function folderOf(packageName: string, anchor: string): string | undefined {
  const folders = createRequire(anchor).resolve.paths(packageName) ?? []
  return folders.map((folder) => join(folder, packageName)).find((folder) => existsSync(join(folder, 'package.json')))
}

// A manifest is whatever JSON its author wrote.
// oxlint-disable-next-line typescript/no-explicit-any
function manifestAt(file: string): Record<string, any> {
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // Only suggestions are made from it: a manifest that can't be read suggests nothing.
    return {}
  }
}
