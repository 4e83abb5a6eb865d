/** `nx g @loader-smoke/nx:configuration`: gives a project a smoke. May be run again: a file that is there stays as it is. */
import {
  addDependenciesToPackageJson,
  formatFiles,
  type GeneratorCallback,
  getProjects,
  installPackagesTask,
  joinPathFragments,
  logger,
  readJson,
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
 * @throws Error for a project that the workspace doesn't have, before anything is written.
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
  const tasks = [await initGenerator(tree, { ...options, skipFormat: true, keepExistingVersions: true })]
  // Without inference a smoke.config.json would be read by nobody: then a target is written.
  if (options.targetOnly === true || !isRegistered(tree)) addTarget(tree, name, { ...chosen, label: options.label })
  else {
    const isNewApp = !tree.exists(joinPathFragments(root, chosen.bin))
    // The provider of the new app refuses to start without a key; the model server doesn't look at it.
    const env = isNewApp ? { env: { DEEPSEEK_API_KEY: 'keyless' } } : {}
    addSmokeFile(tree, root, { label: options.label ?? name, ...chosen, ...env })
    if (isNewApp) tasks.push(addApp(tree, root, name, chosen, options))
  }
  if (options.skipFormat !== true) await formatFiles(tree)
  return runTasksInSerial(...tasks)
}

function findProject(tree: Tree, given: string): { readonly root: string; readonly name: string } {
  const projects = getProjects(tree)
  const project = projects.get(given)
  if (project !== undefined) return { root: project.root, name: given }
  const names = [...projects.keys()]
  throw new Error(
    `the workspace has no project ${JSON.stringify(given)}.${suggestion(given, names)}\nNext: name one of ${names.join(', ') || 'its projects; it has none yet'}.`,
  )
}

interface Chosen {
  readonly bin: string
  readonly config: string
  readonly task: string
}

function addSmokeFile(
  tree: Tree,
  root: string,
  smoke: Chosen & { readonly label: string; readonly env?: Readonly<Record<string, string>> },
): void {
  const there = SMOKE_FILE_NAMES.map((file) => joinPathFragments(root, file)).find((path) => tree.exists(path))
  if (there !== undefined) return logger.info(`${there} is there and stays as it is.`)
  writeJson(tree, joinPathFragments(root, 'smoke.config.json'), smoke)
}

function addApp(
  tree: Tree,
  root: string,
  name: string,
  { bin, config }: Chosen,
  options: ConfigurationOptions,
): GeneratorCallback {
  setModuleType(tree, root, options.skipPackageJson !== true)
  for (const [file, content] of Object.entries(appFiles({ name, bin, config }))) {
    const path = joinPathFragments(root, file)
    if (!tree.exists(path)) tree.write(path, content)
  }
  const dev = addBuild(tree, root, name) ? BUILD_DEPENDENCIES : {}
  if (options.skipPackageJson === true) return () => {}
  const manifest = manifestOf(tree, root)
  const before = tree.read(manifest, 'utf8')
  addDependenciesToPackageJson(tree, APP_DEPENDENCIES, dev, manifest, options.keepExistingVersions ?? true)
  // The callback of devkit's own function installs only for the package.json of the root.
  return tree.read(manifest, 'utf8') === before ? () => {} : () => installPackagesTask(tree, true)
}

/** Where the app's dependencies are declared: in the project where it is a package of a workspace of packages, else with all others at the root. */
function manifestOf(tree: Tree, root: string): string {
  const own = joinPathFragments(root, 'package.json')
  if (!tree.exists(own)) return 'package.json'
  if (!tree.exists('package.json') || tree.exists('pnpm-workspace.yaml')) return own
  return 'workspaces' in readJson<object>(tree, 'package.json') ? own : 'package.json'
}

function addTarget(
  tree: Tree,
  name: string,
  { bin, config, task, label }: Chosen & { readonly label: string | undefined },
): void {
  const project = readProjectConfiguration(tree, name)
  if (project.targets?.['smoke'] !== undefined) return logger.info(`${name} has a target smoke, which stays as it is.`)
  const options = {
    bin: `{projectRoot}/${bin}`,
    config: `{projectRoot}/${config}`,
    task,
    ...(label === undefined ? {} : { label }),
  }
  // Where nothing is inferred, the least that keeps a cached verdict true has to be written down.
  const cached = isRegistered(tree) ? {} : { cache: false }
  updateProjectConfiguration(tree, name, {
    ...project,
    targets: { ...project.targets, smoke: { executor: SMOKE_EXECUTOR, ...cached, options } },
  })
}
