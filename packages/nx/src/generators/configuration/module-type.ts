/** Whether Node takes the sources of a new app for ES modules, which they are. */
import { joinPathFragments, logger, readJson, type Tree, updateJson } from '@nx/devkit'

/**
 * Says `"type": "module"` in the package.json that owns the project's sources, where it says nothing yet and the project has no sources that this would change;
 * else tells the user. To be called before the app is written.
 */
export function setModuleType(tree: Tree, root: string, mayWrite: boolean): void {
  const own = joinPathFragments(root, 'package.json')
  const manifest = tree.exists(own) ? own : 'package.json'
  const { type } = tree.exists(manifest) ? readJson<{ type?: unknown }>(tree, manifest) : {}
  if (type === 'module') return
  const hasSources = tree.children(root).some((name) => name === 'src' || name === 'lib' || /\.[jt]sx?$/.test(name))
  if (mayWrite && manifest === own && type === undefined && !hasSources)
    return updateJson(tree, own, (content: object) => ({ ...content, type: 'module' }))
  logger.warn(
    `The new app is an ES module, and ${manifest} does not say "type": "module". Set it there, or the app can't be booted.`,
  )
}
