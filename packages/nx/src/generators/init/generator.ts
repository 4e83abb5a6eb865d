/** `nx g @loader-smoke/nx:init`, which `nx add @loader-smoke/nx` runs. May be run again: what is there stays. */
import {
  addDependenciesToPackageJson,
  formatFiles,
  type GeneratorCallback,
  readNxJson,
  type Tree,
  updateNxJson,
} from '@nx/devkit'
import { refusedNxVersion } from '../../nx-version.ts'
import { LOADER_SMOKE_VERSION } from '../versions.ts'

/** Options of the generator; see its schema. */
export interface InitOptions {
  readonly skipFormat?: boolean
  readonly skipPackageJson?: boolean
  readonly keepExistingVersions?: boolean
  readonly addPlugin?: boolean
}

const PLUGIN = '@loader-smoke/nx'

/**
 * Registers the plugin in nx.json, keeps its reports out of git, and adds the package. The callback installs what was added.
 * @throws Error for an Nx that is too old, before anything is written.
 */
export default async function initGenerator(tree: Tree, options: InitOptions): Promise<GeneratorCallback> {
  const refusal = refusedNxVersion()
  if (refusal !== null) throw new Error(refusal)
  registerPlugin(tree, options)
  ignoreReports(tree)
  const install =
    options.skipPackageJson === true
      ? () => {}
      : addDependenciesToPackageJson(
          tree,
          {},
          { [PLUGIN]: LOADER_SMOKE_VERSION },
          undefined,
          options.keepExistingVersions,
        )
  if (options.skipFormat !== true) await formatFiles(tree)
  return install
}

/** True when nx.json has the plugin, so that targets are inferred. */
export function isRegistered(tree: Tree): boolean {
  return (readNxJson(tree)?.plugins ?? []).some(
    (entry) => (typeof entry === 'string' ? entry : entry.plugin) === PLUGIN,
  )
}

function registerPlugin(tree: Tree, { addPlugin }: InitOptions): void {
  const nxJson = readNxJson(tree) ?? {}
  const wanted = addPlugin ?? (process.env['NX_ADD_PLUGINS'] !== 'false' && nxJson.useInferencePlugins !== false)
  if (!wanted || isRegistered(tree)) return
  updateNxJson(tree, { ...nxJson, plugins: [...(nxJson.plugins ?? []), PLUGIN] })
}

function ignoreReports(tree: Tree): void {
  const ignored = tree.exists('.gitignore') ? (tree.read('.gitignore', 'utf8') ?? '') : ''
  if (ignored.split(/\r?\n/).some((line) => /^(?:\*\*\/)?\.smoke\/?$/.test(line.trim()))) return
  tree.write('.gitignore', `${ignored}${ignored === '' || ignored.endsWith('\n') ? '' : '\n'}.smoke\n`)
}
