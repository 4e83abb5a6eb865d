/** Hears what includes inside of the profile skip: patches of their own that match nothing. */
import type { Context } from '@deepseek-ai/cordis'

/** A patch that an include skipped, in the loader's words (printf style, `%C` marks a name). */
export interface SkippedPatch {
  readonly format: string
  readonly args: readonly unknown[]
}

/** The level of Cordis' logger that lets warnings through. */
const WARN = 2

/** Returns a list that each skipped patch of the tree of `ctx` is added to, from now on. */
export function hearSkippedPatches(ctx: Context): readonly SkippedPatch[] {
  const skipped: SkippedPatch[] = []
  ctx.logger.exporter({
    levels: { default: WARN },
    export({ name, type, args }: { name: string; type: string; args: readonly unknown[] }) {
      const [format, ...rest] = args
      if (name === 'loader' && type === 'warn' && typeof format === 'string' && format.startsWith('patch'))
        skipped.push({ format, args: rest })
    },
  } as Parameters<typeof ctx.logger.exporter>[0])
  return skipped
}

/** The loader's sentence with its names in quotes. */
export function sentenceOf({ format, args }: SkippedPatch): string {
  let index = 0
  return format.replace(/%C/g, () => JSON.stringify(args[index++]))
}
