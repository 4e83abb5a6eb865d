/**
 * Keeps what was inferred in a file of Nx' workspace data, each result with all that was looked at for it: it is given again only while all of that looks the
 * same. A file that is missing, damaged, of another version or not writable costs a computation, and nothing else.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { CreateNodesResult } from '@nx/devkit'
import type { FileView } from '@loader-smoke/harness/config'
import { type Look, looksTheSame } from './trace.ts'

interface Kept {
  readonly looks: readonly Look[]
  readonly result: CreateNodesResult
}

/** The results that are kept for a workspace. */
export interface KeptResults {
  /** What was inferred under `key`, or undefined when nothing was or something looks different now. */
  get(key: string, view: FileView): CreateNodesResult | undefined
  set(key: string, looks: readonly Look[], result: CreateNodesResult): void
  /** Writes the file, if there is something new. */
  save(): void
}

/** As it stands in the file: each look once, results with the numbers of theirs, longest unused first. */
interface KeptFile {
  readonly code: string
  readonly looks: readonly Look[]
  readonly results: readonly (readonly [key: string, looks: readonly number[], result: CreateNodesResult])[]
}

/** Beside the results of this call, as many of others may stay, twice over: for the other mode, and for no mode. */
const KEPT_PER_USED = 3

const MAX_BYTES = 32_000_000

/**
 * The results kept for the workspace at `workspaceRoot`.
 * @param code a digest of the code that infers: what other code inferred doesn't count.
 */
export function keptResults(workspaceRoot: string, code: string): KeptResults {
  const file = keptFile(workspaceRoot)
  const all = process.env['NX_CACHE_PROJECT_GRAPH'] === 'false' ? new Map<string, Kept>() : read(file, code)
  const used = new Map<string, Kept>()
  let changed = false
  return {
    get(key, view) {
      const kept = all.get(key)
      if (kept === undefined || !looksTheSame(kept.looks, view)) return undefined
      used.set(key, kept)
      return kept.result
    },
    set(key, looks, result) {
      used.set(key, { looks, result })
      changed = true
    },
    save() {
      if (!changed) return
      const others = [...all].filter(([key]) => !used.has(key))
      const room = used.size * (KEPT_PER_USED - 1)
      const text = toText(new Map([...others.slice(Math.max(0, others.length - room)), ...used]), code)
      if (text.length <= MAX_BYTES) write(file, text)
    },
  }
}

/** Where Nx keeps what belongs to one checkout, and what `nx reset` removes. */
function keptFile(workspaceRoot: string): string {
  const folder = process.env['NX_WORKSPACE_DATA_DIRECTORY'] || '.nx/workspace-data'
  return resolve(workspaceRoot, folder, 'loader-smoke.json')
}

function read(file: string, code: string): Map<string, Kept> {
  try {
    const content = JSON.parse(readFileSync(file, 'utf8')) as KeptFile
    if (content.code !== code) return new Map()
    return new Map(
      content.results.map(([key, numbers, result]) => [
        key,
        { looks: numbers.map((at) => lookAt(content, at)), result },
      ]),
    )
  } catch {
    // No file yet, not readable, or not written by us: everything is inferred anew, and the file written again.
    return new Map()
  }
}

function lookAt({ looks }: KeptFile, at: number): Look {
  const look = looks[at]
  if (look?.length !== 3) throw new Error(`no look ${at}`)
  return look
}

function toText(kept: ReadonlyMap<string, Kept>, code: string): string {
  const numbers = new Map<string, number>()
  const looks: Look[] = []
  const numberOf = (look: Look) => {
    const key = look.join('\0')
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, looks.length)
    return looks.push(look) - 1
  }
  const results = [...kept].map(([key, entry]) => [key, entry.looks.map(numberOf), entry.result] as const)
  return JSON.stringify({ code, looks, results } satisfies KeptFile)
}

/** At once or not at all: other calls of Nx read and write the same file. */
function write(file: string, text: string): void {
  const draft = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(draft, text)
    renameSync(draft, file)
  } catch {
    // A read-only or full disk, or no folder at all: the next call infers again.
    remove(draft)
  }
}

function remove(draft: string): void {
  try {
    rmSync(draft, { force: true })
  } catch {
    // It never came to be.
  }
}
