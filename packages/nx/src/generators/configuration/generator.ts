/** `nx g @loader-smoke/nx:configuration`: gives a project a smoke. May be run again: a file that is there stays as it is. */
import {
  addDependenciesToPackageJson,
  formatFiles,
  type GeneratorCallback,
  getProjects,
  installPackagesTask,
  joinPathFragments,
  logger,
  readProjectConfiguration,
  runTasksInSerial,
  type Tree,
  updateProjectConfiguration,
  writeJson,
} from '@nx/devkit'
import { SMOKE_FILE_NAMES, suggestion } from '@loader-smoke/harness/config'
import { SMOKE_EXECUTOR } from '../../plugin/declared-targets.ts'
import initGenerator, { isRegistered } from '../init/generator.ts'
import { APP_DEPENDENCIES, BUILD_DEPENDENCIES } from '../versions.ts'
import { addBuild } from './add-build.ts'
import { appFiles } from './app-files.ts'
import { checkPaths } from './check-paths.ts'
import { manifestOf, withoutThoseOfRoot } from './manifest.ts'
import { setModuleType } from './module-type.ts'

/** Options of the generator; see its schema. Paths are relative to the project. */
export interface ConfigurationOptions {
  readonly project: string
  readonly bin?: string
  readonly config?: string
  readonly task?: string
  readonly label?: string
  readonly targetOnly?: boolean
  readonly skipFormat?: boolean
  readonly skipPackageJson?: boolean
  readonly keepExistingVersions?: boolean
}

/**
 * Writes a `smoke.config.json`, and an app to boot where the project has none; or only a target. The callback installs what was added.
 * @throws Error for a project that the workspace doesn't have or a path that no app can have, before anything is written.
 */
export default async function configurationGenerator(
  tree: Tree,
  options: ConfigurationOptions,
): Promise<GeneratorCallback> {
  const { root, name } = findProject(tree, options.project)
  const chosen = {
    bin: options.bin ?? 'src/bin.ts',
    config: options.config ?? 'cordis.yml',
    task: options.task ?? 'Say hello.',
  }
  const isNewApp = options.targetOnly !== true && !tree.exists(joinPathFragments(root, chosen.bin))
  checkPaths(chosen, root, isNewApp)
  const tasks = [await initGenerator(tree, { ...options, skipFormat: true, keepExistingVersions: true })]
  const there = smokeOf(tree, root, name)
  if (there === null) {
    // The provider of the new app refuses to start without a key; the model server doesn't look at it.
    const smoke = { ...chosen, ...(isNewApp ? { env: { DEEPSEEK_API_KEY: 'keyless' } } : {}) }
    // Without inference a smoke.config.json would be read by nobody: then a target is written.
    if (options.targetOnly === true || !isRegistered(tree))
      addTarget(tree, name, { ...smoke, ...(options.label === undefined ? {} : { label: options.label }) })
    else writeJson(tree, joinPathFragments(root, 'smoke.config.json'), { label: options.label ?? name, ...smoke })
    if (isNewApp) tasks.push(addApp(tree, root, name, chosen, options))
  } else logger.info(`${there} is there and stays as it is.`)
  if (options.skipFormat !== true) await formatFiles(tree)
  return runTasksInSerial(...tasks)
}

function findProject(tree: Tree, given: string): { readonly root: string; readonly name: string } {
  const projects = getProjects(tree)
  const names = [...projects.keys()]
  // As Nx has it: a name may be given without its scope where that is clear.
  const [unscoped, ...others] = names.filter((one) => one.endsWith(`/${given}`))
  const name = projects.has(given) || unscoped === undefined || others.length > 0 ? given : unscoped
  const project = projects.get(name)
  if (project !== undefined) return { root: project.root, name }
  throw new Error(
    `the workspace has no project ${JSON.stringify(given)}.${suggestion(given, names)}\nNext: name one of ${names.join(', ') || 'its projects; it has none yet'}.`,
  )
}

interface Chosen {
  readonly bin: string
  readonly config: string
  readonly task: string
}

/** What is written into a smoke file or a target. */
interface Smoke extends Chosen {
  readonly label?: string
  readonly env?: Readonly<Record<string, string>>
}

/** The smoke that the project has already, as a message names it; null for none. */
function smokeOf(tree: Tree, root: string, name: string): string | null {
  const file = SMOKE_FILE_NAMES.map((one) => joinPathFragments(root, one)).find((path) => tree.exists(path))
  if (file !== undefined) return file
  const targets = Object.entries(readProjectConfiguration(tree, name).targets ?? {})
  const [target] = targets.find(([one, { executor }]) => one === 'smoke' || executor === SMOKE_EXECUTOR) ?? []
  return target === undefined ? null : `the target ${target} of ${name}`
}

function addTarget(tree: Tree, name: string, { bin, config, ...others }: Smoke): void {
  const project = readProjectConfiguration(tree, name)
  const options = { bin: `{projectRoot}/${bin}`, config: `{projectRoot}/${config}`, ...others }
  // Where nothing is inferred, the least that keeps a cached verdict true has to be written down.
  const cached = isRegistered(tree) ? {} : { cache: false }
  updateProjectConfiguration(tree, name, {
    ...project,
    targets: { ...project.targets, smoke: { executor: SMOKE_EXECUTOR, ...cached, options } },
  })
}

function addApp(
  tree: Tree,
  root: string,
  name: string,
  { bin, config }: Chosen,
  options: ConfigurationOptions,
): GeneratorCallback {
  const manifest = manifestOf(tree, root)
  setModuleType(tree, root, options.skipPackageJson !== true)
  for (const [file, content] of Object.entries(appFiles({ name, bin, config }))) {
    const path = joinPathFragments(root, file)
    if (!tree.exists(path)) tree.write(path, content)
  }
  const dev = addBuild(tree, root, name) ? BUILD_DEPENDENCIES : {}
  if (options.skipPackageJson === true) return () => {}
  const before = tree.read(manifest, 'utf8')
  addDependenciesToPackageJson(
    tree,
    APP_DEPENDENCIES,
    withoutThoseOfRoot(tree, dev),
    manifest,
    options.keepExistingVersions ?? true,
  )
  // The callback of devkit's own function installs only for the package.json of the root.
  return tree.read(manifest, 'utf8') === before ? () => {} : () => installPackagesTask(tree, true)
}
