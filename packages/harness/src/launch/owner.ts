/** Says who owns a run's folders, precisely enough that a reused process id is not taken for the owner. */
import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'

/** The content of the owner file. */
export interface OwnerRecord {
  readonly v: 1
  readonly pid: number
  /** The owner's start in clock ticks since the boot (field 22 of `/proc/<pid>/stat`); null where there is no `/proc`. */
  readonly startTicks: string | null
  readonly bootId: string | null
  readonly uid: number
  readonly cookie: string
  /** The temporary folder beside the one that holds this file. */
  readonly world: string
  /** Milliseconds since the epoch. */
  readonly createdAtMs: number
}

/** The record of this process. */
export function ownerRecord(world: string, cookie: string): OwnerRecord {
  return {
    v: 1,
    pid: process.pid,
    startTicks: startTicks(process.pid),
    bootId: readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? null,
    uid: userInfo().uid,
    cookie,
    world,
    createdAtMs: Date.now(),
  }
}

/** When that process started, in clock ticks since the boot; null when it is gone or there is no `/proc`. */
export function startTicks(pid: number): string | null {
  const stat = readIfThere(`/proc/${pid}/stat`)
  // The name in parentheses may hold spaces: fields are counted after its end, the first of them is the third of the line.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // No such system file on this platform, or no such process.
    return null
  }
}
