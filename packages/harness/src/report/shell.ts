/** A command as one pastes it into a shell. Pure. */
import type { RerunCommand } from '../config/services.ts'

/** `command` quoted for POSIX `sh`, or for PowerShell on Windows. */
export function toShell({ argv, env = {} }: RerunCommand, platform: NodeJS.Platform = process.platform): string {
  const entries = Object.entries(env)
  if (platform === 'win32') {
    const set = entries.map(([name, value]) => `$env:${name}=${quotePowerShell(value)}; `)
    return `${set.join('')}& ${argv.map(quotePowerShell).join(' ')}`
  }
  return [...entries.map(([name, value]) => `${name}=${quotePosix(value)}`), ...argv.map(quotePosix)].join(' ')
}

/** One word of `sh`: single quotes hold everything but themselves. */
export function quotePosix(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function quotePowerShell(word: string): string {
  return /^[\w@%+:./\\-]+$/.test(word) && !word.startsWith('@') ? word : `'${word.replaceAll("'", "''")}'`
}
