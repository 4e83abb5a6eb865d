/** Says who owns a run's folders, precisely enough that neither a reused process id nor another machine on a shared disk is mistaken for the owner. */
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** The file, in the private folder of a run, that says which process owns the run. */
export const OWNER_FILE = 'owner.json'

/** The content of the owner file. */
export interface OwnerRecord {
  readonly v: 1
  readonly pid: number
  /** The owner's start in clock ticks since the boot (field 22 of `/proc/<pid>/stat`); null where there is no `/proc`. */
  readonly startTicks: string | null
  readonly bootId: string | null
  /** What `pid` counts in, as `/proc/self/ns/pid` names it: a container's processes can't be seen from another. */
  readonly pidNamespace: string | null
  readonly hostname: string
  /** -1 on Windows. */
  readonly uid: number
  readonly cookie: string
  /** The temporary folder beside the one that holds this file. */
  readonly world: string
  /** Milliseconds since the epoch. */
  readonly createdAtMs: number
}

/** Without `/proc` nobody can tell who uses a folder: it counts as abandoned only after a day. */
const BLIND_AGE_MS = 24 * 60 * 60 * 1_000
const MAX_RECORD_BYTES = 16 * 1024

/** The record of this process. */
export function ownerRecord(world: string, cookie: string): OwnerRecord {
  return {
    ...here(),
    v: 1,
    pid: process.pid,
    startTicks: startTicks(process.pid),
    cookie,
    world,
    createdAtMs: Date.now(),
  }
}

/** Reads an owner file of this user's; null when it is none: a link, another user's, too long, or not what `ownerRecord` writes. */
export function readOwner(file: string): OwnerRecord | null {
  let fd: number
  try {
    // Not through a link, and not waiting for a writer should it be a pipe.
    fd = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch {
    // Not there, a link, or not readable: no record.
    return null
  }
  try {
    const { size, uid } = fstatSync(fd)
    const ours = process.getuid === undefined || uid === process.getuid()
    return ours && fstatSync(fd).isFile() && size <= MAX_RECORD_BYTES ? parse(readFileSync(fd, 'utf8')) : null
  } finally {
    closeSync(fd)
  }
}

/**
 * Whether the owner is gone for certain. One on another machine or in another container never is: it can't be seen from here.
 * Without `/proc` a day must have passed too, because who else uses the folder can't be seen.
 */
export function isAbandoned(record: OwnerRecord, nowMs: number): boolean {
  const { hostname: host, uid, bootId, pidNamespace } = here()
  if (record.hostname !== host || record.uid !== uid) return false
  if (bootId === null && nowMs - record.createdAtMs < BLIND_AGE_MS) return false
  if (record.bootId !== bootId) return record.bootId !== null && bootId !== null
  if (record.pidNamespace !== pidNamespace) return false
  return !isRunning(record)
}

/** When that process started, in clock ticks since the boot; null when it is gone or there is no `/proc`. */
export function startTicks(pid: number): string | null {
  const stat = readIfThere(`/proc/${pid}/stat`)
  // The name in parentheses may hold spaces: fields are counted after its end, the first of them is the third of the line.
  const [state, ...fields] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  return state === undefined || state === 'Z' || state === 'X' ? null : (fields[18] ?? null)
}

function isRunning({ pid, startTicks: started }: OwnerRecord): boolean {
  if (started !== null) return startTicks(pid) === started
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function here(): Pick<OwnerRecord, 'bootId' | 'pidNamespace' | 'hostname' | 'uid'> {
  return {
    bootId: readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? null,
    pidNamespace: linkIfThere('/proc/self/ns/pid'),
    hostname: hostname(),
    // Not `userInfo()`: it throws for a user without an entry in the password file, as containers have. -1 on Windows.
    uid: process.getuid?.() ?? -1,
  }
}

function parse(text: string): OwnerRecord | null {
  let value: Partial<OwnerRecord> | null
  try {
    value = JSON.parse(text) as Partial<OwnerRecord> | null
  } catch {
    // Cut short when its writer was killed, or not ours.
    return null
  }
  const whole =
    value?.v === 1 &&
    [value.pid, value.uid, value.createdAtMs].every(Number.isSafeInteger) &&
    [value.hostname, value.cookie, value.world].every((field) => typeof field === 'string') &&
    [value.startTicks, value.bootId, value.pidNamespace].every((field) => field === null || typeof field === 'string')
  return whole ? (value as OwnerRecord) : null
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // No such system file on this platform, or no such process.
    return null
  }
}

function linkIfThere(link: string): string | null {
  try {
    return readlinkSync(link)
  } catch {
    // No such link on this platform.
    return null
  }
}
