/** What a caller says about the profile to boot, checked before anything is read. */
import { isAbsolute } from 'node:path'
import type { Context } from '@deepseek-ai/cordis'
import { ProfileError } from './profile-error.ts'

/** Which profile to boot, and what the test lays over it. */
export interface ProfileOptions {
  /** What messages begin with; usually the name of the bin. */
  readonly binName: string
  /** Name of the profile: a folder below `<home>/profiles`; one of the shipped names is made when it isn't there. */
  readonly profile: string
  /** Absolute path of the app's `package.json`: the installation that bundles and plugins come from. */
  readonly installAnchor: string
  /**
   * Absolute paths of the test's own patch files, each named `*.patch.yml`, applied in this order after the bundles.
   * A plugin named by a relative path is found beside the overlay that names it.
   */
  readonly overlayPaths?: readonly string[]
  /** Folder of homes; default `DSH_HOME`, which must be set then: the user's own `~/.dsh` is never touched. */
  readonly home?: string
  /** Applies the profile's own `cordis.patch.yml` between bundles and overlays; default false, so that a machine's settings can't decide. */
  readonly userLayer?: boolean
  /** Ids of entries that a patch of the profile or an overlay may name without matching anything. */
  readonly allowUnmatched?: readonly string[]
  /** How long the tree may take to settle, in milliseconds; default 20,000. */
  readonly settleTimeoutMs?: number
  /** Host set-up before any entry is mounted, as the fourth argument of `boot`. */
  readonly prepare?: (ctx: Context) => Promise<void> | void
}

/** Which config to boot, and what the test lays over it. */
export interface ConfigOptions extends Omit<ProfileOptions, 'profile' | 'installAnchor' | 'home' | 'userLayer'> {
  /** Absolute path of the config: the list of entries that `boot` takes. */
  readonly configPath: string
}

/** Complete options. */
export interface ProfileSpec extends Required<Omit<ProfileOptions, 'prepare'>> {
  readonly prepare: ((ctx: Context) => Promise<void> | void) | null
}

/**
 * Options with their defaults. Reads no file.
 * @throws ProfileError `stage: 'options'` or, for an overlay that isn't named as one, `'overlay'`.
 */
export function resolveOptions(options: ProfileOptions, env: Readonly<NodeJS.ProcessEnv>): ProfileSpec {
  const { profile, installAnchor } = options
  const common = resolveCommon(options)
  const refuse = refusal(common.binName)
  if (typeof profile !== 'string' || !/^(?!node_modules$|\.{1,2}$)[^/\\]+$/.test(profile))
    throw refuse(`profile must be the name of one folder, got ${quote(profile)}.`, 'give a name such as "headless".')
  if (!isAbsolutePath(installAnchor))
    throw refuse(
      `installAnchor must be the absolute path of the app's package.json, got ${quote(installAnchor)}.`,
      "take `fileURLToPath(new URL('../package.json', import.meta.url))` in the bin.",
    )
  const home = options.home ?? env['DSH_HOME']
  if (!isAbsolutePath(home))
    throw refuse(
      `home must be an absolute path, got ${quote(home)} from ${options.home === undefined ? 'DSH_HOME' : 'the options'}.`,
      'run the bin through runLoaderSmoke, which sets DSH_HOME to a folder of the run, or give home.',
    )
  return { ...common, profile, installAnchor, home, userLayer: options.userLayer ?? false }
}

/**
 * Options of a config with their defaults. Reads no file.
 * @throws ProfileError `stage: 'options'` or `'overlay'`.
 */
export function resolveConfigOptions(
  options: ConfigOptions,
): ReturnType<typeof resolveCommon> & { readonly configPath: string } {
  const { configPath } = options
  const common = resolveCommon(options)
  if (!isAbsolutePath(configPath))
    throw refusal(common.binName)(
      `configPath must be the absolute path of a config, got ${quote(configPath)}.`,
      'resolve it against the working folder, or against the bin.',
    )
  return { ...common, configPath }
}

function resolveCommon(options: Omit<ConfigOptions, 'configPath'>) {
  const { binName, overlayPaths = [], settleTimeoutMs = 20_000 } = options
  const refuse = refusal(typeof binName === 'string' && binName !== '' ? binName : 'profile')
  if (typeof binName !== 'string' || binName === '')
    throw refuse(
      `binName must be the name that messages begin with, got ${quote(binName)}.`,
      'give the name of the bin.',
    )
  if (!(Number.isInteger(settleTimeoutMs) && settleTimeoutMs >= 1 && settleTimeoutMs <= 2_147_483_647))
    throw refuse(
      `settleTimeoutMs must be an integer from 1 to 2147483647, got ${quote(settleTimeoutMs)}.`,
      'give a number of milliseconds.',
    )
  for (const path of overlayPaths) {
    if (!isAbsolutePath(path))
      throw refuse(
        `an overlay must be an absolute path, got ${quote(path)}.`,
        'resolve it against the file that names it.',
        'overlay',
      )
    if (!path.endsWith('.patch.yml'))
      throw refuse(
        `overlay ${path} is not named *.patch.yml, which tells a list of patches from a config.`,
        `rename it to ${path.replace(/(\.patch)?\.ya?ml$/, '')}.patch.yml if it is a list of patches; a whole config is booted with boot() instead.`,
        'overlay',
      )
  }
  return {
    binName,
    overlayPaths,
    allowUnmatched: options.allowUnmatched ?? [],
    settleTimeoutMs,
    prepare: options.prepare ?? null,
  }
}

function refusal(binName: string) {
  return (what: string, next: string, stage: 'options' | 'overlay' = 'options') =>
    new ProfileError(binName, stage, [{ what, next }])
}

function isAbsolutePath(value: unknown): value is string {
  return typeof value === 'string' && isAbsolute(value)
}

function quote(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}
