/** The build of a new app, which the smokes on built output run after. */
import {
  joinPathFragments,
  logger,
  offsetFromRoot,
  readJson,
  readNxJson,
  readProjectConfiguration,
  type Tree,
  updateProjectConfiguration,
  writeJson,
} from '@nx/devkit'

/**
 * Gives the project a tsconfig.json and a target that compiles `src` to `lib`. A project that has a target or a script of that name, or a tsconfig.json of
 * its own, keeps what it has.
 * @returns whether a target was added, which needs a compiler.
 */
export function addBuild(tree: Tree, root: string, name: string): boolean {
  const build = buildTargetName(tree)
  const file = joinPathFragments(root, 'tsconfig.json')
  const isMissing = !hasTarget(tree, root, name, build)
  if (tree.exists(file)) {
    if (isMissing)
      logger.info(`${name} has no target ${build}: the smokes on built output need one that writes lib/ from src/.`)
    return false
  }
  const base = ['tsconfig.base.json', 'tsconfig.json'].find((path) => tree.exists(path))
  if (isMissing || base === undefined) writeJson(tree, file, tsconfig(root, base))
  if (isMissing) addTarget(tree, name, build)
  return isMissing
}

/** Without the workspace's `paths` and conditions, which lead source mode to the sources of other packages: a build must find what Node will. */
const COMPILE = 'tsc -p tsconfig.json --paths null --customConditions null'

function addTarget(tree: Tree, name: string, build: string): void {
  const project = readProjectConfiguration(tree, name)
  const target = {
    executor: 'nx:run-commands',
    cache: true,
    dependsOn: [`^${build}`],
    outputs: ['{projectRoot}/lib'],
    options: { command: COMPILE, cwd: '{projectRoot}' },
  }
  updateProjectConfiguration(tree, name, { ...project, targets: { ...project.targets, [build]: target } })
}

/** What a workspace's own base says of outputs is for its other projects: this one emits to `lib`. */
function tsconfig(root: string, base: string | undefined): object {
  return {
    ...(base === undefined ? {} : { extends: `${offsetFromRoot(root)}${base}` }),
    compilerOptions: {
      target: 'es2024',
      module: 'nodenext',
      moduleResolution: 'nodenext',
      types: ['node'],
      strict: true,
      skipLibCheck: true,
      noEmit: false,
      emitDeclarationOnly: false,
      composite: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: 'src',
      outDir: 'lib',
    },
    include: ['src'],
  }
}

function hasTarget(tree: Tree, root: string, name: string, target: string): boolean {
  const manifest = joinPathFragments(root, 'package.json')
  const { scripts = {} } = tree.exists(manifest) ? readJson<{ scripts?: object }>(tree, manifest) : {}
  return target in scripts || target in (readProjectConfiguration(tree, name).targets ?? {})
}

/** As the plugin's options in nx.json say. */
function buildTargetName(tree: Tree): string {
  for (const entry of readNxJson(tree)?.plugins ?? [])
    if (typeof entry === 'object' && entry.plugin === '@loader-smoke/nx')
      return (entry.options as { buildTargetName?: string } | undefined)?.buildTargetName ?? 'build'
  return 'build'
}
