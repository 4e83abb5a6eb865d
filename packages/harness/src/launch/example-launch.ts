/** The launch of a bin for callers who start it themselves. */
import { checkNames, type KnownNames } from '../config/check-names.ts'
import { type ExampleMode, EXAMPLE_MODE_ENV, modeOf, noTsconfig } from '../config/mode.ts'
import { notAllowed } from '../config/option-error.ts'
import { defaultOf } from '../config/options.ts'
import { toArgv } from './argv.ts'
import { resolveLoader } from './loader.ts'
import { withoutSourceFlags } from './node-options.ts'

/** What `resolveExampleLaunch` takes. */
export interface ExampleLaunchOptions {
  /** Absolute path of the source entry (`<package>/src/bin.ts`). */
  readonly srcBin: string
  /** Absolute path of the built entry, when it can't be derived from `srcBin`. */
  readonly libBin?: string | undefined
  /** Arguments after the entry; default none. */
  readonly configArgs?: readonly string[] | undefined
  /** Default: `DSH_EXAMPLE_MODE` of this process, or `src`. */
  readonly mode?: ExampleMode | undefined
  /** Absolute path of the TypeScript project whose `paths` source mode resolves with; required in `src`. */
  readonly tsconfigPath?: string | undefined
  /** What is imported first in `src` mode; default `tsx`. */
  readonly sourceImport?: string | undefined
  /** Further environment, below what the mode needs. */
  readonly env?: NodeJS.ProcessEnv | undefined
}

/** A launch, for `spawn(command, args, { env: { ...process.env, ...env } })`. */
export interface ExampleLaunch {
  /** This Node. */
  readonly command: string
  readonly args: string[]
  /** Above the inherited environment. In `lib` mode `TSX_TSCONFIG_PATH` is there as `undefined`, so that it is not inherited. */
  readonly env: NodeJS.ProcessEnv
}

/** Every name of `ExampleLaunchOptions`. */
const NAMES = {
  srcBin: true,
  libBin: true,
  configArgs: true,
  mode: true,
  tsconfigPath: true,
  sourceImport: true,
  env: true,
} as const satisfies Record<keyof ExampleLaunchOptions, true>

const launchNames: KnownNames = {
  of: 'resolveExampleLaunch',
  names: Object.keys(NAMES),
  elsewhere: new Map([
    ...['binScript', 'bin'].map((name): [string, string] => [name, 'give srcBin.']),
    ...['binArgs', 'args'].map((name): [string, string] => [name, 'give configArgs.']),
    ...['configPath', 'config'].map((name): [string, string] => [name, 'give configArgs: [configPath].']),
    ['libBinScript', 'give libBin.'],
    ['tsConfig', 'give tsconfigPath.'],
  ]),
}

/**
 * The command, arguments and environment of a bin in one of its modes. Looks at none of the files.
 * @throws OptionError for a name that is no option, no `srcBin`, a mode that is none, `src` without `tsconfigPath`, or a built entry that can't be derived.
 */
export function resolveExampleLaunch(options: ExampleLaunchOptions): ExampleLaunch {
  checkNames(options, launchNames)
  if (typeof options.srcBin !== 'string')
    throw notAllowed('srcBin', 'given as a path', options.srcBin, 'give the absolute path of the source entry.')
  checkTexts(options)
  const mode = modeOf(options.mode, process.env[EXAMPLE_MODE_ENV])
  if (mode === 'src' && options.tsconfigPath === undefined) throw noTsconfig()
  const loaderUrl =
    mode === 'src' ? resolveLoader(options.sourceImport ?? defaultOf('sourceImport'), options.srcBin) : null
  const bin = { source: options.srcBin, built: options.libBin ?? null }
  const [command = process.execPath, ...args] = toArgv({ mode, bin, args: options.configArgs ?? [] }, loaderUrl)
  return {
    command,
    args,
    env: { ...options.env, ...(mode === 'src' ? { TSX_TSCONFIG_PATH: options.tsconfigPath } : plainNode(options.env)) },
  }
}

/** What would be put into the command as something else than was meant. */
function checkTexts({ configArgs, ...options }: ExampleLaunchOptions): void {
  for (const name of ['libBin', 'tsconfigPath', 'sourceImport'] as const)
    if (options[name] !== undefined && (typeof options[name] !== 'string' || options[name] === ''))
      throw notAllowed(name, 'a text that is not empty', options[name], 'give such a text, or leave it out.')
  if (configArgs !== undefined && !(Array.isArray(configArgs) && configArgs.every((one) => typeof one === 'string')))
    throw notAllowed('configArgs', 'a list of texts', configArgs, 'give a list; each entry is one argument.')
}

/** What keeps source out of a `lib` run although this process runs source: an inherited name is taken away by `undefined`. */
function plainNode(env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = process.env['NODE_OPTIONS']
  const kept = inherited === undefined ? undefined : withoutSourceFlags(inherited)
  return {
    TSX_TSCONFIG_PATH: undefined,
    ...(kept === inherited || 'NODE_OPTIONS' in env ? {} : { NODE_OPTIONS: kept || undefined }),
  }
}
