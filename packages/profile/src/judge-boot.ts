/** What a boot came to, as the errors of this package. Touches nothing: the context is read, the caller disposes of it. */
import type { Context } from '@deepseek-ai/cordis'
import type { BootPlan } from './boot-watched.ts'
import { flat, ids } from './compose/check-patches.ts'
import type { Layer } from './compose/layer.ts'
import { type Schema, unknownConfigKeys } from './config/unknown-keys.ts'
import { didYouMean } from './nearest.ts'
import { ProfileError, type ProfileProblem } from './profile-error.ts'
import { explainFailure } from './resolve/explain-failure.ts'
import type { ImportFailure } from './resolve/watch-imports.ts'
import { sentenceOf, type SkippedPatch } from './watch/loader-warnings.ts'
import { unsettled, type WatchedEntry } from './watch/unsettled.ts'

/** What was seen of a boot while it went on. */
export interface Sight {
  ctx: Context | null
  failed: readonly ImportFailure[]
  skipped: readonly SkippedPatch[]
}

/** What a boot that ended well left out all the same. */
export function problemsOf(
  ctx: Context,
  { allowUnmatched, layers, subject }: BootPlan,
  { skipped }: Sight,
): ProfileProblem[] {
  const entries = [...ctx.loader.entries()].filter(({ id }) => id !== ROOT)
  const inIncludes = skipped
    .filter(({ args }) => !allowUnmatched.includes(String(args[0])))
    .map((patch) => ({
      what: `an include inside of ${subject} skipped a patch: ${sentenceOf(patch)}.${didYouMean(
        String(patch.args[0]),
        entries.map(({ options }) => options.id),
      )}`,
      next: "correct the id or the name in the include's patches.",
    }))
  return [
    ...inIncludes,
    ...entries.flatMap((entry) => {
      const id = withoutRoot(entry.id)
      return unknownConfigKeys({
        id,
        name: entry.options.name,
        config: entry.options.config,
        schema: entry.fiber?.runtime?.Config as Schema | undefined,
        from: configFrom(id, layers) ?? `an include inside of ${subject}`,
      })
    }),
  ]
}

/** The error of a boot that rejected with `error`. */
export function failedBoot(
  error: unknown,
  { binName, manifest, packages, subject, composition: { entries } }: BootPlan,
  { failed }: Sight,
): ProfileError {
  const cause = Object(error).cause as unknown
  if (cause instanceof ProfileError) return cause
  if (failed.length > 0) {
    const installation = { anchor: manifest, packages: packages() }
    const problems = failed.map((failure) => {
      const named = flat(entries).filter((entry) => entry.name === failure.name)
      const by = named.flatMap(({ id }) => id ?? [])
      return explainFailure(failure, by.length > 0 ? by : `an include inside of ${subject}`, installation)
    })
    return new ProfileError(binName, 'import', problems, failed[0]?.error)
  }
  const text = error instanceof Error ? error.message : String(error)
  return new ProfileError(
    binName,
    'boot',
    [
      {
        what: text.replaceAll(`${binName}: `, ''),
        next: 'put right the entry named above, in the layer that configures it; a service that is waited for needs an entry that provides it.',
      },
    ],
    error,
  )
}

/** The error of a boot that doesn't end; `why` says how that is known. */
export function stuckBoot(why: string, { binName, subject }: BootPlan, { ctx }: Sight): ProfileError {
  const entries = ctx === null ? [] : ([...ctx.loader.entries()] as unknown as WatchedEntry[])
  const lines = unsettled(entries.filter(({ id }) => id !== ROOT))
  const told =
    lines.length === 0
      ? ' No entry is waiting: look at prepare, and at what dispose waits for.'
      : `\n${lines.map((line) => `- ${line}`).join('\n')}`
  return new ProfileError(binName, 'settle', [
    {
      what: `${subject} did not settle ${why}.${told}`,
      next: 'let each start end (no await on what only comes later), and add a provider for each service that is waited for.',
    },
  ])
}

/** The error of an installation in which this package and dsh-app-boot have different loaders. */
export function twoLoaders(binName: string): ProfileError {
  return new ProfileError(binName, 'boot', [
    {
      what: 'there are two copies of @deepseek-ai/cordis-plugin-loader: dsh-app-boot has another one than @loader-smoke/profile.',
      next: 'see `npm ls @deepseek-ai/cordis-plugin-loader`, and give both the same version.',
    },
  ])
}

/** The id of the include that `boot` mounts the profile's config with; ids of its entries begin with it. */
const ROOT = 'include'

function withoutRoot(id: string): string {
  return id.startsWith(`${ROOT}:`) ? id.slice(ROOT.length + 1) : id
}

/** The last layer that sets the config of `id`. */
function configFrom(id: string, layers: readonly Layer[]): string | undefined {
  const setsIt = ({ patches }: Layer) =>
    patches.some((patch) => (patch.id === id && 'config' in patch) || ids(patch.insert ?? []).includes(id))
  return layers.findLast(setsIt)?.label
}
