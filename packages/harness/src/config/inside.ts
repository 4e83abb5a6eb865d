/** Paths that have to stay within a folder. Pure. */
import { posix, win32 } from 'node:path'

/** A relative path that leads nowhere outside the folder it starts from, on any platform: what is declared once is run on several. */
export function isInside(path: unknown): path is string {
  if (typeof path !== 'string' || path === '' || path.includes('\0')) return false
  return !posix.isAbsolute(path) && !win32.isAbsolute(path) && !path.split(/[/\\]/).includes('..')
}
