/** How a program that was found is started on this system. Pure. */
import { extname } from 'node:path'
import type { Located } from '@loader-smoke/agent-sdk'
import { scriptOfShim } from './npm-shim.ts'

/** What to start it with. */
export interface CommandPlace {
  readonly platform: NodeJS.Platform
  /** Absolute path of Node. */
  readonly node: string
  /** Reads a file as text. */
  read(file: string): string
}

/**
 * The argv for `program` with `args`. A script of Node is started with our own Node: the one on PATH may be missing or too old.
 * @throws Error for a Windows script that is no shim of npm's: what its arguments would become is not certain.
 */
export function toArgv(
  { path, realPath }: Located,
  args: readonly string[],
  { platform, node, read }: CommandPlace,
): string[] {
  if (/^\.[cm]?js$/.test(extname(realPath))) return [node, realPath, ...args]
  if (platform !== 'win32' || !/\.(?:cmd|bat)$/i.test(path)) return [path, ...args]
  const script = scriptOfShim(read(path), path)
  if (script === null)
    throw new Error(
      `${path} is a script of the Windows command processor (expected an .exe, or a program that npm installed)`,
    )
  return [node, script, ...args]
}
