/** Which installer owns a program, whether a newer version exists, and how to update it. */
import type { HostApi } from './host/host.ts'
import type { Maintenance } from './protocol/agent.ts'
import { runToEnd } from './maintenance/run-to-end.ts'
import { type Installed, ownerOf } from './maintenance/installers.ts'

export type { Installed } from './maintenance/installers.ts'

/** A program that some installer put on the machine. */
export interface Maintained {
  /** The program's name on the PATH. */
  readonly program: string
  /** Its npm package. */
  readonly npmPackage: string
  /** Its Homebrew cask. */
  readonly homebrewCask?: string
  readonly installedVersion: string | null
}

const askDeadlineMs = 10_000
const updateDeadlineMs = 10 * 60_000

/** Latest versions by the command that found them, for the life of this process. */
const latestVersions = new Map<string, Promise<string | null>>()

/** Forgets the latest versions, so that the next check asks the installers again. */
export function clearCache(): void {
  latestVersions.clear()
}

/**
 * Finds the installer that owns the program, from the real path of its file, and asks it for the latest version.
 * An installer that can't be proven is never guessed: `canUpdate` is false, and nothing is run. Never rejects; an installer
 * that does not answer within 10 s leaves `latestVersion` out, and is asked again the next time.
 */
export async function checkMaintenance(host: HostApi, maintained: Maintained): Promise<Maintenance> {
  const { installedVersion } = maintained
  const owner = await installedBy(host, maintained)
  if (owner === null) return { canUpdate: false, installedVersion }
  const latestVersion = await latest(host, owner)
  return {
    canUpdate: true,
    installedVersion,
    ...(latestVersion === null ? {} : { latestVersion }),
    manager: owner.manager,
  }
}

/**
 * Updates the program with the installer that owns it; resolves when the installer has ended well.
 * Rejects when no installer is proven (with the command for the user to run), or the installer fails or takes longer than 10 minutes.
 */
export async function update(host: HostApi, maintained: Maintained): Promise<void> {
  const owner = await installedBy(host, maintained)
  if (owner === null)
    throw new Error(
      `${maintained.program} was installed in a way that is not recognised, so it is not updated from here; ` +
        `run \`npm install --global ${maintained.npmPackage}@latest\`, or use the installer it came from`,
    )
  const [program, ...args] = owner.update
  const { exit } = await runToEnd(host, program, args, updateDeadlineMs)
  latestVersions.delete(owner.latest.join(' '))
  if (exit === null || exit.code !== 0)
    throw new Error(
      `\`${owner.update.join(' ')}\` ${exit === null ? `did not end within ${updateDeadlineMs / 60_000} minutes` : `exited ${exit.code ?? exit.signal} (expected 0)`}; run it in a terminal to see why`,
    )
}

async function installedBy(host: HostApi, maintained: Maintained): Promise<Installed | null> {
  const located = await host.process.which(maintained.program).catch(() => null)
  return located === null ? null : ownerOf(located.realPath, maintained)
}

async function latest(host: HostApi, owner: Installed): Promise<string | null> {
  const key = owner.latest.join(' ')
  const known = latestVersions.get(key)
  if (known !== undefined) return known
  const asking = ask(host, owner)
  latestVersions.set(key, asking)
  const version = await asking
  if (version === null && latestVersions.get(key) === asking) latestVersions.delete(key)
  return version
}

async function ask(host: HostApi, owner: Installed): Promise<string | null> {
  const [program, ...args] = owner.latest
  try {
    const { exit, stdout } = await runToEnd(host, program, args, askDeadlineMs)
    return exit?.code === 0 ? owner.readLatest(stdout) : null
  } catch {
    // The installer can't be started, or printed no version: then there is no latest version to tell, and nothing else depends on it.
    return null
  }
}
