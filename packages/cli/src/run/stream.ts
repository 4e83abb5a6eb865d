/** Shows what bins print while they run. */
import type { LoaderSmokeOptions } from '@loader-smoke/harness'
import { liveLines, toldTo } from '@loader-smoke/harness/report'
import { gutters } from './lines.ts'
import type { Paint } from './paint.ts'

/** Where lines are shown. */
export interface StreamTarget {
  print(lines: readonly string[]): void
  /** What `print` writes to. */
  readonly output: NodeJS.WriteStream
  readonly paint: Paint
}

/** A smoke that is shown. */
export interface Streamed {
  readonly options: LoaderSmokeOptions
  /** Shows lines that have no end yet; call it when the smoke has ended. */
  end(): void
}

/** @param label stands before each line, or null where no other bin prints. */
export function streamed(
  options: LoaderSmokeOptions,
  label: string | null,
  { print, output, paint }: StreamTarget,
): Streamed {
  const lines = liveLines({ gutters: gutters(label, paint), colors: paint.colors, write: print, output })
  return { options: toldTo(lines, options), end: () => lines.end() }
}
