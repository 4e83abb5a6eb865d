/** The complete environment of a bin. Pure. */
import type { SmokeSpec } from '../config/resolve.ts'
import { withoutSourceFlags } from './node-options.ts'

/** Names that are set for one run, whatever else sets them. */
export interface RunEnvironment {
  /** Environment name → absolute folder. */
  readonly homes: Readonly<Record<string, string>>
  /** What the services of the run hand over. */
  readonly services: Readonly<Record<string, string>>
  /** Name and path of the file that the fixture's turns are reported to. */
  readonly report: Readonly<Record<string, string>>
}

const PROXY = /^(?:(?:https?|all|no)_proxy|npm_config_.*proxy)$/i
const STRICT = ['PATH', 'HOME', 'USER', 'SHELL', 'LANG', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot']
const STRICT_WINDOWS = ['PATHEXT', 'COMSPEC', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE', 'SystemDrive', 'windir']

/**
 * The environment of the bin, in the order in which a later one wins: inherited (no proxies; in `strict` only what a program needs),
 * homes, services, the caller's `env`, then what the mode and the report need.
 */
export function toEnvironment(
  spec: Pick<SmokeSpec, 'mode' | 'env' | 'tsconfigPath'>,
  run: RunEnvironment,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const names = new Names(platform === 'win32')
  const passes = spec.env.mode === 'strict' ? strictNames(platform) : () => true
  for (const [name, value] of Object.entries(spec.env.inherited))
    if (value !== undefined && !PROXY.test(name) && passes(name)) names.set(name, value)
  names.setAll(run.homes)
  names.setAll(run.services)
  names.setAll(spec.env.overrides)
  // After the caller's own: the options of a smoke are the same in both modes, and built output must not be led back to source.
  if (spec.mode === 'lib') names.change('NODE_OPTIONS', withoutSourceFlags)
  names.set('TSX_TSCONFIG_PATH', spec.mode === 'src' ? spec.tsconfigPath : null)
  names.setAll(run.report)
  return names.toObject()
}

function strictNames(platform: NodeJS.Platform): (name: string) => boolean {
  const windows = platform === 'win32'
  const fold = (name: string) => (windows ? name.toUpperCase() : name)
  const allowed = new Set([...STRICT, ...(windows ? STRICT_WINDOWS : [])].map(fold))
  return (name) => allowed.has(fold(name)) || fold(name).startsWith('LC_')
}

/** Environment names and values; on Windows `Path` and `PATH` are one name. */
class Names {
  private readonly entries = new Map<string, readonly [name: string, value: string]>()
  private readonly ignoreCase: boolean

  constructor(ignoreCase: boolean) {
    this.ignoreCase = ignoreCase
  }

  /** Null takes the name away. */
  set(name: string, value: string | null): void {
    const key = this.keyOf(name)
    if (value === null) this.entries.delete(key)
    else this.entries.set(key, [name, value])
  }

  setAll(values: Readonly<Record<string, string | null>>): void {
    for (const [name, value] of Object.entries(values)) this.set(name, value)
  }

  /** Replaces the value of a name that is set; one that becomes empty is taken away. */
  change(name: string, toValue: (value: string) => string): void {
    const entry = this.entries.get(this.keyOf(name))
    if (entry !== undefined) this.set(entry[0], toValue(entry[1]) || null)
  }

  toObject(): Record<string, string> {
    return Object.fromEntries(this.entries.values())
  }

  private keyOf(name: string): string {
    return this.ignoreCase ? name.toUpperCase() : name
  }
}
