/** How a program that was found is started on this system. Pure. */
import { extname } from 'node:path'
import type { Located } from '@loader-smoke/agent-sdk'

/** What to start it with. */
export interface CommandPlace {
  readonly platform: NodeJS.Platform
  /** Absolute path of Node. */
  readonly node: string
  /** Absolute path of the command processor; Windows only. */
  readonly shell?: string
}

/**
 * The argv for `program` with `args`. A script of Node is started with our own Node: the one on PATH may be missing or too old.
 * Windows can't execute the `.cmd` shims that npm makes; its command processor does.
 */
export function toArgv({ path, realPath }: Located, args: readonly string[], place: CommandPlace): string[] {
  if (/^\.[cm]?js$/.test(extname(realPath))) return [place.node, realPath, ...args]
  if (place.platform === 'win32' && /^\.(?:cmd|bat)$/i.test(extname(path)))
    return [place.shell ?? 'C:\\Windows\\System32\\cmd.exe', '/d', '/s', '/c', path, ...args]
  return [path, ...args]
}
