/** Paths of declared smokes: Nx's tokens, and what a relative path is relative to. Pure. */
import { isAbsolute, resolve } from 'node:path'

export { insideOf, slashed } from '@loader-smoke/harness/config'

/** Where a target's paths start from. */
export interface Anchor {
  /** Absolute. */
  readonly workspaceRoot: string
  /** Relative to the workspace root, as Nx has it (`.` for a project at the root). */
  readonly projectRoot: string
}

/** The absolute path that `given` means: `{workspaceRoot}` and `{projectRoot}` are replaced, and what is relative starts at the workspace root. */
export function toAbsolute(given: string, { workspaceRoot, projectRoot }: Anchor): string {
  const path = given
    .replace(/^\{workspaceRoot\}(?=$|[/\\])/, () => workspaceRoot)
    .replace(/^\{projectRoot\}(?=$|[/\\])/, () => resolve(workspaceRoot, projectRoot))
  return isAbsolute(path) ? resolve(path) : resolve(workspaceRoot, path)
}

const TSCONFIGS = ['{projectRoot}/tsconfig.json', '{workspaceRoot}/tsconfig.base.json', '{workspaceRoot}/tsconfig.json']

/** Where the TypeScript project of a smoke that is written down as a target is looked for when it names none: the first that exists. */
export function tsconfigPlaces(anchor: Anchor): string[] {
  return TSCONFIGS.map((path) => toAbsolute(path, anchor))
}

/** The name of the folder that a target's reports go to: its own, with what file systems or globs don't take replaced. */
export function reportsFolder(targetName: string): string {
  return targetName.replace(/[^\w.-]+/g, '-')
}
