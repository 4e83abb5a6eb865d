/** Looks above a package for what its repository has for turbo. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ignores } from './edit.ts'

/** The turbo.json at the root of the repository, as an absolute path. */
export function nearestTurbo(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, 'turbo.json')
    if (existsSync(file) && !/"extends"\s*:/.test(readFileSync(file, 'utf8'))) return file
    if (dirname(at) === at) return null
  }
}

/** Whether a `.gitignore` from `folder` up to `root` has a line for the folder `name`. */
export function ignoresAbove(folder: string, root: string, name: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, '.gitignore')
    if (existsSync(file) && ignores(readFileSync(file, 'utf8'), name)) return true
    if (at === root || dirname(at) === at) return false
  }
}
