/** Boots a composition that has been checked, and judges what the boot leaves out. */
import { pathToFileURL } from 'node:url'
import type { Context } from '@deepseek-ai/cordis'
import { boot } from '@deepseek-ai/dsh-app-boot'
import { reportBootWarnings } from '@loader-smoke/turn'
import type { Composition } from './compose/check-patches.ts'
import { flat } from './compose/check-patches.ts'
import type { Layer } from './compose/layer.ts'
import { failedBoot, problemsOf, type Sight, stuckBoot, twoLoaders } from './judge-boot.ts'
import { ProfileError } from './profile-error.ts'
import { isSameLoader, watchImports } from './resolve/watch-imports.ts'
import { disposed } from './watch/disposed.ts'
import { hearSkippedPatches } from './watch/loader-warnings.ts'
import { settle } from './watch/settle.ts'

/** A boot that is ready to go. */
export interface BootPlan {
  readonly binName: string
  /** How messages name it: `profile "headless"`. */
  readonly subject: string
  /** Absolute path of the config that is mounted. */
  readonly rootConfig: string
  readonly layers: readonly Layer[]
  readonly composition: Composition
  /** Absolute path of the `package.json` that must declare the plugins. */
  readonly manifest: string
  /** Names that a plugin which isn't found may have been meant for; asked for then only. */
  readonly packages: () => readonly string[]
  readonly allowUnmatched: readonly string[]
  readonly settleTimeoutMs: number
  readonly prepare: ((ctx: Context) => Promise<void> | void) | null
}

/**
 * Resolves with the settled context of `plan`.
 * @throws ProfileError for a composition with problems, before anything is mounted; for a boot that fails, sticks, or leaves something out.
 */
export async function bootWatched(plan: BootPlan): Promise<Context> {
  const { binName, composition, layers } = plan
  if (composition.problems.length > 0) throw new ProfileError(binName, 'patch', composition.problems)
  const sight: Sight = { ctx: null, failed: [], skipped: [] }
  const booting = boot(binName, plan.rootConfig, structuredClone([...composition.patches]), async (ctx) => {
    sight.ctx = ctx
    if (!isSameLoader(ctx)) throw twoLoaders(binName)
    sight.failed = watchImports(ctx, (name) => overlaysNaming(name, layers))
    sight.skipped = hearSkippedPatches(ctx)
    reportBootWarnings(ctx)
    await plan.prepare?.(ctx)
  })
  const settled = await settle(booting, plan.settleTimeoutMs).catch((error: unknown) => {
    throw failedBoot(error, plan, sight)
  })
  if (settled.kind === 'stuck') {
    const error = stuckBoot(settled.why, plan, sight)
    await disposed(sight.ctx)
    throw error
  }
  const problems = problemsOf(settled.value, plan, sight)
  if (problems.length === 0) return settled.value
  await disposed(settled.value)
  throw new ProfileError(binName, 'config', problems)
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
