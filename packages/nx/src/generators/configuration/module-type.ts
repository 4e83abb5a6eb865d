/** Whether Node takes the sources of a new app for ES modules, which they are. */
import { joinPathFragments, logger, readJson, type Tree, updateJson, writeJson } from '@nx/devkit'

/**
 * Says `"type": "module"` in the project's package.json, where that says nothing yet and the project has no sources that this would change; a project without one
 * gets one that says no more. Else tells the user. To be called before the app is written.
 */
export function setModuleType(tree: Tree, root: string, mayWrite: boolean): void {
  const own = joinPathFragments(root, 'package.json')
  const hasOwn = tree.exists(own)
  const manifest = hasOwn ? own : 'package.json'
  const { type } = tree.exists(manifest) ? readJson<{ type?: unknown }>(tree, manifest) : {}
  if (type === 'module') return
  const hasSources = tree.children(root).some((name) => name === 'src' || name === 'lib' || /\.[jt]sx?$/.test(name))
  if (mayWrite && !hasOwn && !hasSources) return writeJson(tree, own, { private: true, type: 'module' })
  if (mayWrite && hasOwn && type === undefined && !hasSources)
    return updateJson(tree, own, (content: object) => ({ ...content, type: 'module' }))
  logger.warn(
    `The new app is an ES module, and ${manifest} does not say "type": "module". Set it there, or the app can't be booted.`,
  )
}
