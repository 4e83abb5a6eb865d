/** The installers that are recognised, each by where it puts a program. Pure. */
import type { Maintenance } from '../protocol/agent.ts'

type Command = readonly [program: string, ...args: string[]]

/** How one installed program is asked about and updated. */
export interface Installed {
  readonly manager: NonNullable<Maintenance['manager']>
  /** Prints the latest version. */
  readonly latest: Command
  /** Reads the latest version from what `latest` printed; `null` when there is none. */
  readLatest(stdout: string): string | null
  readonly update: Command
}

interface Names {
  readonly npmPackage: string
  readonly homebrewCask?: string
}

/** Finds the installer of the program whose file is `realPath`; `null` when none is proven. */
export function ownerOf(realPath: string, names: Names): Installed | null {
  const path = realPath.replaceAll('\\', '/')
  return npm(path, names) ?? homebrew(path, names)
}

/** npm keeps global packages in `<prefix>/lib/node_modules` (Windows: `<prefix>/node_modules`). @see https://docs.npmjs.com/cli/v11/configuring-npm/folders */
function npm(path: string, { npmPackage }: Names): Installed | null {
  const at = path.indexOf(`/node_modules/${npmPackage}/`)
  if (at === -1) return null
  const parent = path.slice(0, at)
  const prefix = parent.endsWith('/lib')
    ? parent.slice(0, -'/lib'.length)
    : /^[A-Za-z]:\/.*\/npm$/.test(parent)
      ? parent
      : null
  if (prefix === null || prefix === '') return null
  return {
    manager: 'npm',
    latest: ['npm', 'view', npmPackage, 'version', '--prefix', prefix],
    readLatest: versionIn,
    update: ['npm', 'install', '--global', `${npmPackage}@latest`, '--prefix', prefix],
  }
}

/** Homebrew keeps casks in `<prefix>/Caskroom/<cask>/<version>`. @see https://docs.brew.sh/Cask-Cookbook */
function homebrew(path: string, { homebrewCask }: Names): Installed | null {
  if (homebrewCask === undefined || !path.includes(`/Caskroom/${homebrewCask}/`)) return null
  return {
    manager: 'homebrew',
    latest: ['brew', 'info', '--json=v2', '--cask', homebrewCask],
    readLatest: (stdout) => versionIn(/"version":\s*"([^"]+)"/.exec(stdout)?.[1] ?? ''),
    update: ['brew', 'upgrade', '--cask', homebrewCask],
  }
}

function versionIn(text: string): string | null {
  return /^\s*(\d+\.\d+\.\d+\S*)\s*$/.exec(text)?.[1] ?? null
}
