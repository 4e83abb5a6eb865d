/** The files of a repository that are its authors': what git knows or would add; without git, everything that isn't installed or built. */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const NOT_SOURCES = new Set(['node_modules', 'dist', 'coverage'])

/** Paths below `folder`, relative to it, with `/` as separator, sorted. */
export function sourceFiles(folder: string): string[] {
  return (fromGit(folder) ?? fromFolder(folder, '')).toSorted()
}

function fromGit(folder: string): string[] | null {
  try {
    const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
    // Deleted files are in git's index still; those that can't be read are passed over later.
    return execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .split('\0')
      .filter((name) => name !== '' && !name.split('/').includes('node_modules'))
  } catch {
    // No git on this machine, or no repository: the folder itself says what is there.
    return null
  }
}

function fromFolder(root: string, below: string): string[] {
  return readdirSync(join(root, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory())
      return entry.name.startsWith('.') || NOT_SOURCES.has(entry.name) ? [] : fromFolder(root, path)
    return entry.isFile() ? [path] : []
  })
}
