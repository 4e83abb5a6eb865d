/** Reads the files that a smoke expects something of, while the world is still there. */
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { FileSpec } from '../config/resolve.ts'

/** A file of the world after the run. */
export interface FileFact {
  readonly path: string
  /** `outside`: a link led out of the world, so it was not read. */
  readonly state: 'file' | 'folder' | 'absent' | 'outside'
  /** Its size; 0 of anything but a file. */
  readonly bytes: number
  /** The whole of it, when its content is asked for; null too when it is larger than `MAX_FILE_BYTES`. */
  readonly text: string | null
}

/** A larger file is not searched: 16 MiB. */
const MAX_FILE_BYTES = 16 * 1024 * 1024

/** Looks at each file that `specs` names below `cwd`. */
export function readWorldFiles(specs: readonly FileSpec[], cwd: string): Promise<FileFact[]> {
  return Promise.all(specs.map((spec) => readWorldFile(spec, cwd)))
}

async function readWorldFile({ path, content }: FileSpec, cwd: string): Promise<FileFact> {
  try {
    const file = await realpath(join(cwd, path))
    if (!file.startsWith(cwd + sep)) return { path, state: 'outside', bytes: 0, text: null }
    const found = await stat(file)
    if (!found.isFile()) return { path, state: 'folder', bytes: 0, text: null }
    const bytes = found.size
    // Its beginning alone would not do: a pattern may match, or must not match, in the rest.
    const text = content === null || bytes > MAX_FILE_BYTES ? null : await readFile(file, 'utf8')
    return { path, state: 'file', bytes, text }
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return { path, state: 'absent', bytes: 0, text: null }
    throw error
  }
}
