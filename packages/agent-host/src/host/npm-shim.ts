/** The `.cmd` files that npm makes on Windows for a package's programs. Pure. */
import { win32 } from 'node:path'

/**
 * The script that such a file starts, as an absolute path; null when `text` is no shim of npm's for a script of Node.
 * Node itself can't start a `.cmd`, and the command processor reads arguments in ways of its own: the script is started instead.
 * @see https://github.com/npm/cmd-shim
 */
export function scriptOfShim(text: string, path: string): string | null {
  const script = /"%(?:~dp0|dp0%)\\([^"]+\.[cm]?js)"/i.exec(text)?.[1]
  return script === undefined ? null : win32.join(win32.dirname(path), script)
}
