/** Shows what bins print while they run. */
import type { LoaderSmokeOptions } from '@loader-smoke/harness'
import { gutters, shownLive, type ShownSmoke } from '@loader-smoke/harness/report'
import type { Paint } from './lines.ts'

/** The smoke of `options`, shown; `whose` stands before each line, and is empty where no other bin prints. */
export function streamed(options: LoaderSmokeOptions, whose: string, paint: Paint): ShownSmoke {
  return shownLive(options, {
    gutters: gutters(whose, paint),
    colors: paint.colors,
    // Unlike a write of our own, this one outlives a reader that has gone.
    write: (lines) => console.log(lines.join('\n')),
    output: process.stdout,
  })
}
