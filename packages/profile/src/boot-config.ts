/** Boots a whole config, as `boot` of dsh-app-boot does, with the checks of a profile. */
import { findPackageJSON } from 'node:module'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Context } from '@deepseek-ai/cordis'
import { loadOverlayPatches } from '@deepseek-ai/dsh-app-boot'
import { bootWatched } from './boot-watched.ts'
import { dependencyNames } from './compose/bundles.ts'
import { checkPatches } from './compose/check-patches.ts'
import type { Layer } from './compose/layer.ts'
import { overlayLayer, told } from './compose/load-layers.ts'
import { type ConfigOptions, resolveConfigOptions } from './options.ts'

/**
 * Boots the config at `configPath` with the test's overlays on top, and resolves with the settled root context, which the caller
 * disposes of. What `bootProfile` fails on is a failure here too; bare plugin names are looked up from the config's folder, then from
 * that of the overlay that names them. Writes nothing.
 * @throws ProfileError Every problem of the first stage that has one.
 */
export async function bootConfig(options: ConfigOptions): Promise<Context> {
  const spec = resolveConfigOptions(options)
  const { binName, configPath } = spec
  // Entries and patches are written in one dialect, and only patches have a reader of their own.
  const entries = told(
    binName,
    'config',
    () => loadOverlayPatches(binName, configPath),
    (text) => text.replace('overlay', 'config').replace('loader patch entries', 'entries'),
  )
  const base: Layer = {
    label: `config ${configPath}`,
    kind: 'bundle',
    file: configPath,
    patches: [{ insert: entries as NonNullable<Layer['patches'][number]['insert']> }],
  }
  const overlays = spec.overlayPaths.map((file) => overlayLayer(binName, file))
  const subject = `config ${configPath}`
  const composition = checkPatches([base, ...overlays], subject, spec.allowUnmatched)
  const manifest = findPackageJSON('.', pathToFileURL(configPath)) ?? `the package.json above ${dirname(configPath)}`
  return await bootWatched({
    ...spec,
    subject,
    rootConfig: configPath,
    layers: [base, ...overlays],
    // The entries of the config come from its file.
    composition: { ...composition, patches: composition.patches.slice(1) },
    manifest,
    packages: () => dependencyNames(manifest),
  })
}
