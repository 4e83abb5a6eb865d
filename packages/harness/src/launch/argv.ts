/** What Node is started with. Pure. */
import type { SmokeSpec } from '../config/resolve.ts'
import { toBuiltBin } from './bin.ts'

/** The file that Node is given. */
export function entryOf({ mode, bin }: Pick<SmokeSpec, 'mode' | 'bin'>): string {
  return mode === 'src' ? bin.source : (bin.built ?? toBuiltBin(bin.source))
}

/** Node, in `src` mode with the loader at `loaderUrl`, then the entry and its arguments. */
export function toArgv(
  spec: Pick<SmokeSpec, 'mode' | 'bin' | 'args'>,
  loaderUrl: string | null,
  node: string = process.execPath,
): string[] {
  return [node, ...(loaderUrl === null ? [] : ['--import', loaderUrl]), entryOf(spec), ...spec.args]
}
