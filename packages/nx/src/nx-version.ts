/** Which versions of Nx keep verdicts true. npm refuses the others by the peer range; not every package manager does. */
import { createRequire } from 'node:module'

// Not devkit's NX_VERSION: loading devkit would cost each executor process 100 ms and more.
const { version: installed } = createRequire(import.meta.url)('nx/package.json') as { version: string }

/** Since this version Nx can hash files that git ignores. */
const OLDEST = { major: 23, minor: 3 } as const

/** What to tell the user of a version that is too old; null for one that is not. */
export function refusedNxVersion(version: string = installed): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return null
  return (
    `@loader-smoke/nx needs Nx ${OLDEST.major}.${OLDEST.minor} or newer, got ${version}: ` +
    'that one has no way to hash files that git ignores, so it would replay a verdict after one of them changed.\n' +
    `Next: run \`nx migrate ${OLDEST.major}\` and what it says, and then this again.`
  )
}
