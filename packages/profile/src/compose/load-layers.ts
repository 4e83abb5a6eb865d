/** Reads the bundles of a profile and the test's overlays, and links the installation's packages to where the profile finds them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  healProfilesModuleFallback,
  initProfile,
  loadOverlayPatches,
  loadProfile,
  PROFILE_TEMPLATES,
  resolveProfileDir,
} from '@deepseek-ai/dsh-app-boot'
import type { ProfileSpec } from '../options.ts'
import { ProfileError, type ProfileStage } from '../profile-error.ts'
import { didYouMean } from '../nearest.ts'
import { besideOverlay } from './beside-overlay.ts'
import { installedBundles, isInstalled } from './bundles.ts'
import type { Layer } from './layer.ts'

/** A profile on disk, ready to be booted. */
export interface LoadedProfile {
  /** The profile's folder: what bare names are looked up from. */
  readonly dir: string
  /** Absolute path of the empty config that all layers are applied to. */
  readonly rootConfig: string
  readonly layers: readonly Layer[]
}

/**
 * Loads the layers in order: bundles, the user layer if asked for, overlays. Writes below `<home>/profiles` only.
 * The root config is written anew each time, because the loader writes what it mounted back into it.
 * @throws ProfileError `stage: 'profile'` or `'overlay'`.
 */
export function loadLayers(spec: ProfileSpec): LoadedProfile {
  const { binName, profile: name, installAnchor, home, userLayer, overlayPaths } = spec
  const dir = resolveProfileDir(name, home)
  if (!existsSync(installAnchor))
    throw new ProfileError(binName, 'profile', [
      { what: `installAnchor ${installAnchor} is not there.`, next: "give the path of the app's package.json." },
    ])
  makeShippedProfile(spec, dir)
  checkBundles(spec, dir)
  const profile = told(binName, 'profile', () => loadProfile(binName, name, installAnchor, home, { userLayer }))
  told(binName, 'profile', () => healProfilesModuleFallback(installAnchor, home))
  const rootConfig = join(profile.dir, 'cordis.yml')
  writeFileSync(rootConfig, '[]\n')
  return {
    dir: profile.dir,
    rootConfig,
    layers: [
      ...profile.layers.map(({ packageName, patchPath, patches }): Layer => ({
        label: `bundle ${packageName}`,
        kind: 'bundle',
        file: patchPath,
        patches,
      })),
      ...(profile.patches.length > 0
        ? [
            {
              label: `the user layer ${profile.patchPath}`,
              kind: 'user' as const,
              file: profile.patchPath,
              patches: profile.patches,
            },
          ]
        : []),
      ...overlayPaths.map((file) => overlayLayer(binName, file)),
    ],
  }
}

/** The layer of one of the test's own patch files. */
export function overlayLayer(binName: string, file: string): Layer {
  const patches = told(binName, 'overlay', () => loadOverlayPatches(binName, file))
  return { label: `overlay ${file}`, kind: 'overlay', file, patches: besideOverlay(dirname(file), patches) }
}

function makeShippedProfile({ binName, profile: name, home }: ProfileSpec, dir: string): void {
  if (existsSync(join(dir, 'package.json'))) return
  const template = Object.hasOwn(PROFILE_TEMPLATES, name) ? PROFILE_TEMPLATES[name] : undefined
  if (template === undefined)
    throw new ProfileError(binName, 'profile', [
      {
        what: `there is no profile "${name}": it is not shipped, and ${join(dir, 'package.json')} is not there.${didYouMean(name, Object.keys(PROFILE_TEMPLATES))}`,
        next: `name a shipped profile (${Object.keys(PROFILE_TEMPLATES).join(', ')}), or write the profile into ${home} in the smoke's prepare.`,
      },
    ])
  initProfile(dir, template)
}

/** Says of a bundle that isn't installed where it was looked for, before the loader's own, shorter message. */
function checkBundles({ binName, profile: name, installAnchor }: ProfileSpec, dir: string): void {
  const manifest = join(dir, 'package.json')
  const bundles: unknown = told(binName, 'profile', () => JSON.parse(readFileSync(manifest, 'utf8')))?.dsh?.profile
    ?.bundles
  if (!Array.isArray(bundles) || !bundles.every((bundle) => typeof bundle === 'string'))
    throw new ProfileError(binName, 'profile', [
      {
        what: `${manifest} must list the bundles of profile "${name}" in dsh.profile.bundles, got ${JSON.stringify(bundles) ?? 'nothing'}.`,
        next: 'write the names of its bundle packages there, in the order of application.',
      },
    ])
  const missing = bundles.filter((bundle) => ![installAnchor, manifest].some((anchor) => isInstalled(bundle, anchor)))
  if (missing.length > 0)
    throw new ProfileError(
      binName,
      'profile',
      missing.map((bundle) => ({
        what: `profile "${name}" lists the bundle "${bundle}", which is installed neither for ${dirname(installAnchor)} nor for ${dir}.${didYouMean(bundle, installedBundles(installAnchor))}`,
        next: `add it to the dependencies in ${installAnchor} and install, or correct dsh.profile.bundles in ${manifest}.`,
      })),
    )
}

/** What the loader's packages throw, as an error of that stage; their messages begin with the bin's name already. */
export function told<T>(
  binName: string,
  stage: ProfileStage,
  read: () => T,
  reword: (text: string) => string = (text) => text,
): T {
  try {
    return read()
  } catch (error) {
    const text = reword(error instanceof Error ? error.message : String(error))
    throw new ProfileError(
      binName,
      stage,
      [
        {
          what: text.startsWith(`${binName}: `) ? text.slice(binName.length + 2) : text,
          next: `put right the file named above.`,
        },
      ],
      error,
    )
  }
}
