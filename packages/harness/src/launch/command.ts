/** From a spec to what is started. Pure. */
import type { SmokeSpec } from '../config/resolve.ts'
import { toArgv } from './argv.ts'
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

/** The launch of a spec in a place. */
export function toLaunch(spec: SmokeSpec, loaderUrl: string | null, place: Place): Launch {
  return { argv: toArgv(spec, loaderUrl), cwd: place.cwd, env: toEnvironment(spec, place), stdin: spec.stdin }
}
