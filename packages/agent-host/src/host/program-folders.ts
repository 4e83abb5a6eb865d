/** Where programs are looked for. Pure but for one reading of folders, which is passed in. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { dirname, extname, isAbsolute, join } from 'node:path'
import type { Located } from '@loader-smoke/agent-sdk'

/** Each `node_modules/.bin` from `folder` upwards, nearest first: what npm puts before PATH for a script. */
export function npmProgramFolders(folder: string): string[] {
  const here = join(folder, 'node_modules', '.bin')
  const above = dirname(folder)
  return above === folder ? [here] : [here, ...npmProgramFolders(above)]
}

/** The file names under which `program` may be found, in order. Windows adds the endings of `pathext`. */
export function fileNames(program: string, platform: NodeJS.Platform, pathext = '.EXE;.CMD;.BAT'): string[] {
  if (platform !== 'win32' || extname(program) !== '') return [program]
  return pathext.split(';').map((ending) => program + ending.toLowerCase())
}

/** The first program of that name in `folders`; null when none has it. Folders that are relative are skipped: they depend on the cwd. */
export function locate(program: string, folders: readonly string[], names: readonly string[]): Located | null {
  const candidates = isAbsolute(program)
    ? [program]
    : folders.filter((folder) => isAbsolute(folder)).flatMap((folder) => names.map((name) => join(folder, name)))
  const path = candidates.find(isProgram)
  return path === undefined ? null : { path, realPath: realpathSync(path) }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    // Not there, or not executable: not a candidate.
    return false
  }
}
