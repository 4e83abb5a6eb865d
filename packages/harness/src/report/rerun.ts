/** The command that runs a failed smoke again. Pure. */
import { EXAMPLE_MODE_ENV } from '../config/mode.ts'
import type { SmokeSpec } from '../config/resolve.ts'
import { isSecretName } from './redact.ts'
import { quotePosix, toShell } from './shell.ts'

/**
 * One line for a shell. The caller's own `rerun` where given; else the bin's command, with its mode, in a fresh folder with homes in it.
 * @param argv of the bin; null when it was never known, then there is no line without a `rerun` of the caller's.
 */
export function rerunLine(
  spec: SmokeSpec,
  argv: readonly string[] | null,
  platform: NodeJS.Platform = process.platform,
): string | null {
  if (spec.rerun !== null) return toShell(spec.rerun, platform)
  if (argv === null) return null
  const env: Record<string, string> = { [EXAMPLE_MODE_ENV]: spec.mode }
  if (spec.mode === 'src' && spec.tsconfigPath !== null) env['TSX_TSCONFIG_PATH'] = spec.tsconfigPath
  const secrets: string[] = []
  for (const [name, value] of Object.entries(spec.env.overrides)) {
    if (value === null) continue
    if (isSecretName(name)) secrets.push(name)
    else env[name] = value
  }
  if (platform === 'win32') {
    const homes = Object.entries(spec.world.homes).map(([name, folder]) => `$env:${name}="$w\\${folder}"; `)
    const enter = '$w = New-Item -ItemType Directory (Join-Path $env:TEMP (New-Guid)); Set-Location $w; '
    return `${enter}${homes.join('')}${toShell({ argv, env }, platform)}`
  }
  const homes = Object.entries(spec.world.homes).map(([name, folder]) => `${name}="$PWD"/${quotePosix(folder)} `)
  const folder = spec.world.cwd === null ? '"$(mktemp -d)"' : quotePosix(spec.world.cwd)
  // A secret is taken from the environment of whoever runs the line again, by its name.
  const taken = secrets.map((name) => `${name}="$${name}" `)
  return `(cd ${folder} && ${homes.join('')}${taken.join('')}${toShell({ argv, env }, platform)})`
}
