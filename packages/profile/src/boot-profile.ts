/** The stages of a boot, in order: options → layers → patches → boot → what it left out. */
import { pathToFileURL } from 'node:url'
import type { Context } from '@deepseek-ai/cordis'
import { boot } from '@deepseek-ai/dsh-app-boot'
import { reportBootWarnings } from '@loader-smoke/turn'
import { linkedPackages } from './compose/bundles.ts'
import { checkPatches, flat } from './compose/check-patches.ts'
import type { Layer } from './compose/layer.ts'
import { loadLayers } from './compose/load-layers.ts'
import { failedBoot, problemsOf, type Sight, stuckBoot, twoLoaders } from './judge-boot.ts'
import { type ProfileOptions, resolveOptions } from './options.ts'
import { ProfileError } from './profile-error.ts'
import { isSameLoader, watchImports } from './resolve/watch-imports.ts'
import { disposed } from './watch/disposed.ts'
import { hearSkippedPatches } from './watch/loader-warnings.ts'
import { settle } from './watch/settle.ts'

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
  const loaded = loadLayers(spec)
  const composition = checkPatches(loaded.layers, spec.profile, spec.allowUnmatched)
  if (composition.problems.length > 0) throw new ProfileError(spec.binName, 'patch', composition.problems)
  const sight: Sight = { ctx: null, failed: [], skipped: [] }
  const booting = boot(spec.binName, loaded.rootConfig, structuredClone([...composition.patches]), async (ctx) => {
    sight.ctx = ctx
    if (!isSameLoader(ctx)) throw twoLoaders(spec)
    sight.failed = watchImports(ctx, (name) => overlaysNaming(name, loaded.layers))
    sight.skipped = hearSkippedPatches(ctx)
    reportBootWarnings(ctx)
    await spec.prepare?.(ctx)
  })
  const settled = await settle(booting, spec.settleTimeoutMs).catch((error: unknown) => {
    throw failedBoot(error, spec, composition, sight, linkedPackages(spec.home))
  })
  if (settled.kind === 'stuck') {
    const error = stuckBoot(settled.why, spec, sight)
    await disposed(sight.ctx)
    throw error
  }
  const problems = problemsOf(settled.value, spec, loaded.layers, sight)
  if (problems.length === 0) return settled.value
  await disposed(settled.value)
  throw new ProfileError(spec.binName, 'config', problems)
}

/** Overlays name plugins of the test's own package, which the installation need not have. */
function overlaysNaming(name: string, layers: readonly Layer[]): string[] {
  return layers
    .filter(({ kind, patches }) => kind === 'overlay' && names(patches).includes(name))
    .map(({ file }) => pathToFileURL(file).href)
}

function names(patches: Layer['patches']): string[] {
  return patches.flatMap(({ insert = [] }) => flat(insert).map(({ name }) => name))
}
