/** The package.json that a new app's dependencies are declared in. */
import { glob, joinPathFragments, readJson, type Tree } from '@nx/devkit'

interface Manifest {
  readonly workspaces?: readonly string[] | { readonly packages?: readonly string[] }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const ROOT = 'package.json'

/** The project's own where the package manager takes it for a package of the workspace; else the root's, where all others are. */
export function manifestOf(tree: Tree, root: string): string {
  const own = joinPathFragments(root, ROOT)
  if (!tree.exists(own)) return ROOT
  if (!tree.exists(ROOT) || tree.exists('pnpm-workspace.yaml')) return own
  const { workspaces = [] } = readJson<Manifest>(tree, ROOT)
  const folders = 'packages' in workspaces ? (workspaces.packages ?? []) : (workspaces as readonly string[])
  const packages = folders.filter((folder) => !folder.startsWith('!')).map((folder) => joinPathFragments(folder, ROOT))
  return packages.length > 0 && glob(tree, packages).includes(own) ? own : ROOT
}

/** What the root has need not be in a package too, in another version perhaps: it is found from there. */
export function withoutThoseOfRoot(
  tree: Tree,
  wanted: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { dependencies, devDependencies } = tree.exists(ROOT) ? readJson<Manifest>(tree, ROOT) : {}
  const there = { ...dependencies, ...devDependencies }
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => !(name in there)))
}
