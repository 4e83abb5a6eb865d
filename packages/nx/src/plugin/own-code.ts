/** Which code infers: what it inferred holds for no other. Reads files. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folders of the modules that have a say in a result, built or not: this one, what it calls, and the walks and checks of the harness. */
const FOLDERS = ['./', '../declared/', 'harness:./', 'harness:../reads/'] as const

let known: string | undefined

/** A digest of the text of that code, and of the version of Node that runs it. */
export function ownCode(): string {
  known ??= digestOf([process.version, ...FOLDERS.flatMap((folder) => textsIn(toPath(folder)))])
  return known
}

/** A digest of any value that JSON can hold. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}

function toPath(folder: (typeof FOLDERS)[number]): string {
  const [path = '', ofHarness] = folder.split(':').toReversed()
  return fileURLToPath(
    new URL(path, ofHarness === undefined ? import.meta.url : import.meta.resolve('@loader-smoke/harness/config')),
  )
}

function textsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /\.[jt]s$/.test(name))
    .map((name) => readFileSync(`${folder}${name}`, 'utf8'))
}
