/** Opens a page in the user's browser. */
import { spawn } from 'node:child_process'

/** What happened; `reason` says why the page was not opened. */
export interface Opened {
  readonly opened: boolean
  readonly reason?: string
}

/** The command that opens `url`; null where there is no screen to open it on. Pure. */
export function openCommand(
  url: string,
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): readonly [string, ...string[]] | null {
  if (platform === 'darwin') return ['open', url]
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url]
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open', url] : null
}

/** Opens `url`, which must be http or https, unless this process is a smoke or runs in CI. Never rejects. */
export async function openUrl(
  url: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Opened> {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    return { opened: false, reason: 'only http and https pages are opened' }
  if (env['LOADER_SMOKE_REPORT'] || env['CI']) return { opened: false, reason: 'nobody watches a smoke or a CI run' }
  const command = openCommand(url, process.platform, env)
  if (command === null) return { opened: false, reason: 'there is no display' }
  const [program, ...args] = command
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true })
    child.once('error', ({ message }) => resolve({ opened: false, reason: message }))
    child.once('exit', (code) =>
      resolve(code === 0 ? { opened: true } : { opened: false, reason: `${program} exited ${code}` }),
    )
    child.unref()
  })
}
