/** Where Codex keeps the state of an account. */
import { join } from 'node:path'

/** `home` of the account, or Codex' own default below the user's home folder. The host creates the folder. */
export function codexHome(home: string | null, env: Readonly<Record<string, string | undefined>>): string {
  if (home !== null) return home
  const user = env['HOME'] ?? env['USERPROFILE']
  if (user === undefined || user === '')
    throw new Error(
      'the folder of the Codex account is unknown: neither HOME nor USERPROFILE is set (expected one of them, or an account with its own home)',
    )
  return join(user, '.codex')
}
