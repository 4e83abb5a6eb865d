/** The version of this package. */
import { readFileSync } from 'node:fs'

/** As package.json has it. */
export function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly version: string
  }
  return manifest.version
}
