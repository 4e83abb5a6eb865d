/** The isolated folder and homes of one run: made before it, removed after it. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SmokeSpec } from '../config/resolve.ts'
import { LaunchError } from './launch-error.ts'
import { OWNER_FILE, ownerRecord } from './owner.ts'
import { removeFolder, removeFolderNow } from './remove.ts'

/** The folders of one run. */
export interface World {
  /** Absolute real path of the working folder. */
  readonly cwd: string
  /** Environment name → absolute folder; each exists. */
  readonly homes: Readonly<Record<string, string>>
  /** Private folder beside the working one: captured streams, the report, who owns it. */
  readonly runDir: string
  readonly reportFile: string
  /** Unique for this run. */
  readonly cookie: string
  /** The folders that are ours to remove, each absolute. */
  readonly owned: readonly string[]
  /** Leaves the folders to the caller: no later run takes them for what a killed one left. */
  giveUp(): void
  /** Removes what is ours. Call it only when no process of the run is left. Rejects with LaunchError naming what stays. */
  remove(): Promise<void>
  /** The same at once, for a process that is about to die: tries, and says nothing. */
  removeNow(): void
}

/** Beginning of the private folder's name; a sweep for what dead owners left looks for it and for the owner file in it. */
export const RUN_DIR_PREFIX = '.loader-smoke-run-'

/**
 * Makes the folders of a run, each with mode 0700. Synchronous: some calls of microseconds each, where as many waits for the thread pool cost milliseconds.
 * With a `cwd` of the caller's, that one is used and stays; the temporary folder then holds the homes alone.
 * @throws LaunchError `stage: 'world'`; nothing is left then.
 */
export function createWorld({ label, world }: Pick<SmokeSpec, 'label' | 'world'>): World {
  const owned: string[] = []
  try {
    const parent = realpathSync(world.parent ?? tmpdir())
    const cookie = randomUUID()
    const name = `${world.prefix}${cookie.slice(0, 8)}`
    const [folder, runDir] = [join(parent, name), join(parent, `${RUN_DIR_PREFIX}${name}`)]
    // The owner is written down before there is anything to own: a process killed between the two leaves nothing that nobody answers for.
    mkdirSync(runDir, { mode: 0o700 })
    owned.push(runDir)
    // A world that is kept whatever happens has no owner who answers for it.
    if (world.keep !== 'always')
      writeFileSync(join(runDir, OWNER_FILE), JSON.stringify(ownerRecord(folder, cookie)), { mode: 0o600 })
    mkdirSync(folder, { mode: 0o700 })
    owned.unshift(folder)
    const homes: Record<string, string> = {}
    for (const [name, path] of Object.entries(world.homes)) {
      homes[name] = join(folder, path)
      mkdirSync(homes[name], { recursive: true, mode: 0o700 })
    }
    // Made beforehand, so that a report that is gone afterwards is not taken for a run without turns.
    const reportFile = join(runDir, 'report.jsonl')
    writeFileSync(reportFile, '', { mode: 0o600 })
    return {
      cwd: world.cwd === null ? folder : realpathSync(world.cwd),
      homes,
      runDir,
      reportFile,
      cookie,
      owned,
      giveUp: () => rmSync(join(runDir, OWNER_FILE), { force: true }),
      remove: () => removeAll(owned),
      removeNow: () => owned.forEach(removeFolderNow),
    }
  } catch (cause) {
    owned.forEach(removeFolderNow)
    throw new LaunchError(
      'world',
      `the temporary folder of ${label} can't be made below ${world.parent ?? tmpdir()}: ${(cause as Error).message}.\n` +
        'Next: free space there or make it writable, or name another folder with tempDirParent.',
      cause,
    )
  }
}

/** The private folder goes last, so that it still says whose the other one was when that one can't be removed. */
async function removeAll(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    try {
      await removeFolder(folder)
    } catch (cause) {
      throw new LaunchError(
        'world',
        `${folder} can't be removed: ${(cause as Error).message}.\nNext: see which process still writes there, then remove it by hand.`,
        cause,
      )
    }
  }
}
