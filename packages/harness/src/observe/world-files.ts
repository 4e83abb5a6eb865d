/** Reads the files that a smoke expects something of, while the world is still there. */
import { open, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { FileSpec } from '../config/resolve.ts'

/** A file of the world after the run. */
export interface FileFact {
  readonly path: string
  /** `outside`: a link led out of the world, so it was not read. */
  readonly state: 'file' | 'folder' | 'absent' | 'outside'
  /** Its beginning, when its content is asked for. */
  readonly text: string | null
}

const MAX_BYTES = 16 * 1024 * 1024

/** Looks at each file that `specs` names below `cwd`. */
export function readWorldFiles(specs: readonly FileSpec[], cwd: string): Promise<FileFact[]> {
  return Promise.all(specs.map((spec) => readWorldFile(spec, cwd)))
}

async function readWorldFile({ path, content }: FileSpec, cwd: string): Promise<FileFact> {
  try {
    const file = await realpath(join(cwd, path))
    if (!file.startsWith(cwd + sep)) return { path, state: 'outside', text: null }
    const found = await stat(file)
    if (!found.isFile()) return { path, state: 'folder', text: null }
    if (content === null) return { path, state: 'file', text: null }
    await using handle = await open(file, 'r')
    const buffer = Buffer.alloc(Math.min(found.size, MAX_BYTES))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0)
    return { path, state: 'file', text: buffer.toString('utf8', 0, bytesRead) }
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return { path, state: 'absent', text: null }
    throw error
  }
}
