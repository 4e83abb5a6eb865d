/** The command that runs a failed smoke again. Pure. */
import { EXAMPLE_MODE_ENV } from '../config/mode.ts'
import type { SmokeSpec } from '../config/resolve.ts'
import { withoutSourceFlags } from '../launch/node-options.ts'
import { isSecretName } from './redact.ts'
import { quotePosix, toShell } from './shell.ts'

/**
 * One line for a shell; null when it is longer than anyone would paste. The caller's own `rerun` where given; else the bin's command, with its mode, in a fresh folder with homes in it.
 * @param argv of the bin; null when it was never known, then there is no line without a `rerun` of the caller's.
 */
export function rerunLine(
  spec: SmokeSpec,
  argv: readonly string[] | null,
  platform: NodeJS.Platform = process.platform,
): string | null {
  const line = commandOf(spec, argv, platform)
  return line === null || line.length > MAX_LINE_LENGTH ? null : line
}

/** A message would be nothing but this line. */
const MAX_LINE_LENGTH = 32_768

function commandOf(spec: SmokeSpec, argv: readonly string[] | null, platform: NodeJS.Platform): string | null {
  if (spec.rerun !== null) return toShell(spec.rerun, platform)
  if (argv === null) return null
  const [env, secrets] = environmentOf(spec)
  const command = toShell({ argv, env }, platform)
  return platform === 'win32' ? inPowerShell(spec, command) : inSh(spec, secrets, command)
}

/** What the caller set and the mode needs, as the bin had it; and the names of secrets, whose values are not shown. */
function environmentOf(spec: SmokeSpec): [shown: Record<string, string>, secrets: string[]] {
  const shown: Record<string, string> = { [EXAMPLE_MODE_ENV]: spec.mode }
  const secrets: string[] = []
  if (spec.mode === 'src' && spec.tsconfigPath !== null) shown['TSX_TSCONFIG_PATH'] = spec.tsconfigPath
  for (const [name, given] of Object.entries(spec.env.overrides)) {
    const value = given !== null && spec.mode === 'lib' && name === 'NODE_OPTIONS' ? withoutSourceFlags(given) : given
    if (value === null || (value === '' && given !== '')) continue
    if (isSecretName(name)) secrets.push(name)
    else shown[name] = value
  }
  return [shown, secrets]
}

function inSh({ world, stdin }: SmokeSpec, secrets: readonly string[], command: string): string {
  const folders = Object.values(world.homes).map((folder) => ` "$w"/${quotePosix(folder)}`)
  const homes = Object.entries(world.homes).map(([name, folder]) => `${name}="$w"/${quotePosix(folder)} `)
  // A secret is taken from the environment of whoever runs the line again, by its name.
  const taken = secrets.map((name) => `${name}="$${name}" `)
  const cwd = world.cwd === null ? '"$w"' : quotePosix(world.cwd)
  const input = stdin === null ? ' </dev/null' : ''
  return `(w=$(mktemp -d) && mkdir -p${folders.join('')} && cd ${cwd} && ${homes.join('')}${taken.join('')}${command}${input})`
}

function inPowerShell({ world }: SmokeSpec, command: string): string {
  const made = '$w = New-Item -ItemType Directory (Join-Path $env:TEMP (New-Guid)); '
  const homes = Object.entries(world.homes).map(
    ([name, folder]) => `$env:${name} = New-Item -ItemType Directory -Force "$w\\${folder}"; `,
  )
  const cwd = world.cwd === null ? '$w' : `'${world.cwd.replaceAll("'", "''")}'`
  return `${made}${homes.join('')}Set-Location ${cwd}; ${command}`
}
