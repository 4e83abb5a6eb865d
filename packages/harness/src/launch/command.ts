/** From a spec to what is started. Pure. */
import type { SmokeSpec } from '../config/resolve.ts'
import { toBuiltBin } from './bin.ts'
import { type RunEnvironment, toEnvironment } from './env.ts'

/** What is started, complete. */
export interface Launch {
  /** `argv[0]` is the absolute path of Node. */
  readonly argv: readonly string[]
  readonly cwd: string
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>
  readonly stdin: string | Uint8Array | null
}

/** Where one run takes place. */
export interface Place extends RunEnvironment {
  readonly cwd: string
}

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

/** The launch of a spec in a place. */
export function toLaunch(spec: SmokeSpec, loaderUrl: string | null, place: Place): Launch {
  return { argv: toArgv(spec, loaderUrl), cwd: place.cwd, env: toEnvironment(spec, place), stdin: spec.stdin }
}
