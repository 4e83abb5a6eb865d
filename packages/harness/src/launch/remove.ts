/** Removes a folder for good: renamed first, so that a half removed one is never taken for a living one. */
import { chmodSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

const SWEEPING = '.sweeping'
const RETRIES = { recursive: true, force: true, maxRetries: 10, retryDelay: 20 } as const

/** Resolves when the folder is gone; one that is gone already is fine. Rejects with the system's error. */
export async function removeFolder(folder: string): Promise<void> {
  const sweeping = `${folder}${SWEEPING}`
  try {
    renameSync(folder, sweeping)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  try {
    await rm(sweeping, RETRIES)
  } catch (error) {
    if (!isDenied(error)) throw error
    makeWritable(sweeping)
    await rm(sweeping, RETRIES)
  }
}

/** The same, synchronously and without a word: for a process that is about to die and can tell nobody. */
export function removeFolderNow(folder: string): void {
  const sweeping = `${folder}${SWEEPING}`
  try {
    renameSync(folder, sweeping)
    makeWritable(sweeping)
    rmSync(sweeping, RETRIES)
  } catch {
    // Gone already, or not ours to remove: the owner file stays for a later sweep.
  }
}

/** A fixture may have made folders read-only (a package store does): nothing in them can be removed before that is undone. */
function makeWritable(folder: string): void {
  chmodSync(folder, 0o700)
  for (const entry of readdirSync(folder)) {
    const path = join(folder, entry)
    if (lstatSync(path).isDirectory()) makeWritable(path)
  }
}

function isDenied(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EACCES' || code === 'EPERM'
}
