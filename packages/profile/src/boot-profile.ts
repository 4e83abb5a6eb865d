/** Boots a profile: its layers are read, put together, and mounted. */
import type { Context } from '@deepseek-ai/cordis'
import { bootWatched } from './boot-watched.ts'
import { linkedPackages } from './compose/bundles.ts'
import { checkPatches } from './compose/check-patches.ts'
import { loadLayers } from './compose/load-layers.ts'
import { type ProfileOptions, resolveOptions } from './options.ts'

/**
 * Boots the named profile as the product would, with the test's overlays on top, through the real `boot` of dsh-app-boot,
 * and resolves with the settled root context, which the caller disposes of (`ctx.fiber.dispose()`).
 * What the loader skips is a failure here: a patch that matches nothing, a wrong name, a config key that the plugin doesn't know.
 * Bare plugin names are looked up from the profile, then the installation, then the overlay that names them, with or without the
 * loader's native addon. Writes below `<home>/profiles` only.
 * @throws ProfileError Every problem of the first stage that has one. The context is disposed of by then, except for what never settled.
 * @example
 * const ctx = await bootProfile({ binName: 'my-agent', profile: 'headless', installAnchor, overlayPaths: process.argv.slice(3) })
 */
export async function bootProfile(options: ProfileOptions): Promise<Context> {
  const spec = resolveOptions(options, process.env)
  const subject = `profile "${spec.profile}"`
  const { rootConfig, layers } = loadLayers(spec)
  return await bootWatched({
    ...spec,
    subject,
    rootConfig,
    layers,
    composition: checkPatches(layers, subject, spec.allowUnmatched),
    manifest: spec.installAnchor,
    packages: () => linkedPackages(spec.home),
  })
}
