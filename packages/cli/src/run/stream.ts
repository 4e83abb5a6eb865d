/** Shows what bins print while they run. */
import type { LoaderSmokeOptions } from '@loader-smoke/harness'
import { gutters, shownLive, type ShownSmoke } from '@loader-smoke/harness/report'
import { oneLine } from './lines.ts'
import type { Paint } from './paint.ts'

/** Where lines are shown. */
export interface StreamTarget {
  print(lines: readonly string[]): void
  /** What `print` writes to. */
  readonly output: NodeJS.WriteStream
  readonly paint: Paint
}

/** The smoke of `options`, shown; `label` stands before each line, and is null where no other bin prints. */
export function streamed(
  options: LoaderSmokeOptions,
  label: string | null,
  { print, output, paint }: StreamTarget,
): ShownSmoke {
  const whose = label === null ? '' : oneLine(label)
  return shownLive(options, { gutters: gutters(whose, paint), colors: paint.colors, write: print, output })
}
