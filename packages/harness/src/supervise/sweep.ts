/** Takes away what runners that were killed left on disk: only what carries our marker, is this user's, and is used by nobody. */
import { lstatSync, readdirSync, rmdirSync, type Stats } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isAbandoned, OWNER_FILE, type OwnerRecord, readOwner } from '../launch/owner.ts'
import { removeFolder, SWEEPING } from '../launch/remove.ts'
import { RUN_DIR_PREFIX } from '../launch/world.ts'
import { usersOf } from './users.ts'

/** A run whose folders were removed. */
export interface SweptRun {
  /** The working folder it had. */
  readonly world: string
  readonly ownerPid: number
  /** Milliseconds since the epoch. */
  readonly createdAtMs: number
}

/** So long may a sweep take; what is not reached waits for the next start. */
const LIMIT_MS = 2_000

/**
 * Removes the folders of abandoned runs in `parent` and resolves with what was removed. Never rejects for what it can't read or remove: that stays.
 * No link is followed, and nothing outside `parent` is touched, whatever an owner file says.
 */
export async function sweepStale(parent: string, { limitMs = LIMIT_MS, nowMs = Date.now() } = {}): Promise<SweptRun[]> {
  const end = performance.now() + limitMs
  const runDirs = runDirsIn(parent)
  runDirs.forEach(removeEmptied)
  const stale = runDirs.flatMap((runDir) => candidate(runDir) ?? []).filter(({ owner }) => isAbandoned(owner, nowMs))
  if (stale.length === 0) return []
  const used = usersOf(stale.map(({ owner, folders }) => ({ cookie: owner.cookie, folders })))
  const swept: SweptRun[] = []
  for (const [index, { owner, folders }] of stale.entries()) {
    if (performance.now() > end) break
    if (used[index] || !(await removed(folders))) continue
    swept.push({ world: owner.world, ownerPid: owner.pid, createdAtMs: owner.createdAtMs })
  }
  return swept
}

interface Candidate {
  readonly owner: OwnerRecord
  /** What is there of the run, the private folder with the owner file last: it tells whose the rest is while that exists. */
  readonly folders: readonly string[]
}

function runDirsIn(parent: string): string[] {
  let names: string[]
  try {
    names = readdirSync(parent)
  } catch {
    // The folder is not there or not readable: the run itself reports that.
    return []
  }
  return names.filter((name) => name.startsWith(RUN_DIR_PREFIX)).map((name) => join(parent, name))
}

/** The last step of a removal that was killed before it: the record is gone, and the folder that held it is empty. */
function removeEmptied(runDir: string): void {
  if (!runDir.endsWith(SWEEPING) || !isPrivate(runDir)) return
  try {
    rmdirSync(runDir)
  } catch {
    // Not empty: it still has its record, or is not ours.
  }
}

function candidate(runDir: string): Candidate | null {
  const owner = isPrivate(runDir) ? readOwner(join(runDir, OWNER_FILE)) : null
  if (owner === null) return null
  const world = join(dirname(runDir), basename(runDir).slice(RUN_DIR_PREFIX.length).replace(SWEEPING, ''))
  // A file that says otherwise was not written by us for this folder.
  if (owner.world !== world) return null
  // What the program did to the mode of its own folder doesn't matter: the private folder, which it could not know, vouches for it.
  return { owner, folders: [...[`${world}${SWEEPING}`, world].filter((path) => isFolderOfUser(path)), runDir] }
}

/** A real folder of this user's that nobody else may write to: another could have put anything there. */
function isPrivate(path: string): boolean {
  const stat = folderOfUser(path)
  return stat !== null && (process.getuid === undefined || (stat.mode & 0o022) === 0)
}

function isFolderOfUser(path: string): boolean {
  return folderOfUser(path) !== null
}

/** Looked at once: a run that ends beside this one takes its folders away at any moment. */
function folderOfUser(path: string): Stats | null {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  const ours = stat?.isDirectory() === true && (process.getuid === undefined || stat.uid === process.getuid())
  return ours ? stat : null
}

async function removed(folders: readonly string[]): Promise<boolean> {
  try {
    for (const folder of folders) await removeFolder(folder)
    return true
  } catch {
    // A file that can't be removed: the owner file stays too, and the next sweep tries again.
    return false
  }
}
