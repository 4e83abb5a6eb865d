/** Refuses paths that can't become a smoke, before anything is written. Pure. */
import { posix, win32 } from 'node:path'

/**
 * Paths as they were given; `root` is the project's folder.
 * @throws Error for one that the project can't have, or where it is to be written, one that can't be built.
 */
export function checkPaths(
  given: { readonly bin: string; readonly config: string },
  root: string,
  isNewApp: boolean,
): void {
  for (const option of ['bin', 'config'] as const) {
    const path = given[option]
    const start = root === '.' ? null : `${root}/`
    const isOfProject =
      path !== '' &&
      !posix.isAbsolute(path) &&
      !win32.isAbsolute(path) &&
      !/^\{|\\/.test(path) &&
      !(start && path.startsWith(start))
    if (!isOfProject)
      throw refused(option, 'a path that starts at the project, with forward slashes', path, EXAMPLES[option])
    if (isNewApp && posix.normalize(path).startsWith('../'))
      throw refused(option, 'a path within the project for an app that is not there yet', path, EXAMPLES[option])
  }
  if (isNewApp && !/^src\/.*\.m?ts$/.test(posix.normalize(given.bin)))
    throw refused('bin', 'a .ts file below src for an app that is not there yet', given.bin, EXAMPLES.bin)
}

const EXAMPLES = { bin: 'src/bin.ts', config: 'cordis.yml' } as const

function refused(option: string, allowed: string, given: string, example: string): Error {
  return new Error(
    `${option} must be ${allowed}, got ${JSON.stringify(given)}.\nNext: write it like --${option}=${example}.`,
  )
}
