/**
 * Removes a folder for good, in steps of which each can be the last: it is renamed first, so that a half removed one is never taken for a living one,
 * and the record of its owner goes last, so that the next sweep knows whose the rest is and goes on.
 */
import { chmodSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { OWNER_FILE } from './owner.ts'

/** What a folder's name ends with while it is being removed. */
export const SWEEPING = '.sweeping'
const RETRIES = { recursive: true, force: true, maxRetries: 10, retryDelay: 20 } as const

/** Resolves when the folder is gone; one that is gone already is fine. Rejects with the system's error. */
export async function removeFolder(folder: string): Promise<void> {
  try {
    const sweeping = begin(folder)
    for (const path of inOrder(sweeping)) await removeAll(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** Renames the folder, unless an earlier removal has, and gives its path from then on. */
function begin(folder: string): string {
  if (folder.endsWith(SWEEPING)) return folder
  renameSync(folder, `${folder}${SWEEPING}`)
  return `${folder}${SWEEPING}`
}

/** What is to be removed, one after another. A program may have put a link in the place of its folder: then that alone. */
function inOrder(folder: string): string[] {
  const names = lstatSync(folder).isDirectory() ? readdirSync(folder) : []
  if (!names.includes(OWNER_FILE)) return [folder]
  return [...names.filter((name) => name !== OWNER_FILE).map((name) => join(folder, name)), folder]
}

async function removeAll(path: string): Promise<void> {
  if (removedAtOnce(path)) return
  try {
    await rm(path, RETRIES)
  } catch (error) {
    if (!isDenied(error)) throw error
    makeWritable(Buffer.from(path))
    await rm(path, RETRIES)
  }
}

/** So many entries are removed in less time than one turn of the thread pool; more would keep the event loop of the caller from its other runs. */
const FEW = 64

/** Removes a file, or a folder of few entries, synchronously: both folders of a small run take 1.0 ms instead of 2.7 ms. False when it is left to be removed. */
function removedAtOnce(path: string): boolean {
  try {
    if (lstatSync(path).isDirectory() && !hasFew(path)) return false
    rmSync(path, { recursive: true, force: true })
    return true
  } catch {
    // Read-only folders, or a process that still writes there: what comes next deals with both, and tells.
    return false
  }
}

function hasFew(folder: string): boolean {
  const left = [folder]
  let seen = 0
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      if (++seen > FEW) return false
      if (entry.isDirectory()) left.push(join(next, entry.name))
    }
  }
  return true
}

/** The same, synchronously and without a word: for a process that is about to die and can tell nobody. */
export function removeFolderNow(folder: string): void {
  try {
    const sweeping = begin(folder)
    makeWritable(Buffer.from(sweeping))
    for (const path of inOrder(sweeping)) rmSync(path, RETRIES)
  } catch {
    // Gone already, or not ours to remove: the owner file stays for a later sweep.
  }
}

/** A fixture may have made folders read-only (a package store does): nothing in them can be removed before that is undone. Names are bytes: not each is text. */
function makeWritable(path: Buffer): void {
  if (!lstatSync(path).isDirectory()) return
  chmodSync(path, 0o700)
  for (const name of readdirSync(path, { encoding: 'buffer' }))
    makeWritable(Buffer.concat([path, Buffer.from(sep), name]))
}

function isDenied(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EACCES' || code === 'EPERM'
}
