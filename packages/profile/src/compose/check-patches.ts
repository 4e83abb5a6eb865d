/** Finds what the loader would skip with a warning nobody reads: a patch that matches nothing. Pure. */
import type { PatchOptions } from '@deepseek-ai/cordis-plugin-include'
import type { EntryOptions } from '@deepseek-ai/cordis-plugin-loader'
import { composeEntries } from '@deepseek-ai/dsh-app-boot'
import { didYouMean, listed } from '../nearest.ts'
import type { ProfileProblem } from '../profile-error.ts'
import type { Layer } from './layer.ts'

/** What the layers give. */
export interface Composition {
  /** The patches to boot with, in order; those that may match nothing and do are left out. */
  readonly patches: readonly PatchOptions[]
  /** The entries that they make, groups with their children in `config`. */
  readonly entries: readonly EntryOptions[]
  readonly problems: readonly ProfileProblem[]
}

/** Keys of a patch; anything else would be set on the entry, where nobody reads it. */
const PATCH_KEYS = ['id', 'insert', 'name', 'config', 'group', 'disabled', 'inject', 'intercept', 'isolate']

/**
 * Applies the layers with the loader's own algorithm, one patch at a time, and tells each one that it would skip.
 * Only patches whose id is in `allowUnmatched` may name an entry that isn't there.
 */
export function checkPatches(
  layers: readonly Layer[],
  subject: string,
  allowUnmatched: readonly string[],
): Composition {
  let patches: PatchOptions[] = []
  let entries: EntryOptions[] = []
  const problems: ProfileProblem[] = []
  for (const layer of layers)
    for (const [index, patch] of layer.patches.entries()) {
      const skipped: string[] = []
      const next = composeEntries([[...patches, patch]], (message) => skipped.push(message))
      const here = `${layer.label}, patch ${index + 1}`
      if (skipped.length > 0) {
        if (!(patch.id !== undefined && allowUnmatched.includes(patch.id) && !ids(entries).includes(patch.id)))
          problems.push(unmatched(here, patch, entries, subject))
        continue
      }
      problems.push(...repeatedIds(here, patch, entries))
      if (layer.kind === 'overlay') problems.push(...unknownKeys(here, patch))
      patches = [...patches, patch]
      entries = next
    }
  return { patches, entries, problems }
}

/** Ids of all entries, also of those inside of groups. */
export function ids(entries: readonly EntryOptions[]): string[] {
  return flat(entries).flatMap(({ id }) => id ?? [])
}

/** All entries, those inside of groups after their group. */
export function flat(entries: readonly EntryOptions[]): EntryOptions[] {
  return entries.flatMap((entry) => [entry, ...(entry.group && Array.isArray(entry.config) ? flat(entry.config) : [])])
}

function unmatched(
  here: string,
  { id, insert, name }: PatchOptions,
  entries: readonly EntryOptions[],
  subject: string,
): ProfileProblem {
  if (!id)
    return {
      what: `${here} has neither an id nor an insert, so it patches nothing.`,
      next: 'give the id of the entry it is for.',
    }
  const target = flat(entries).find((entry) => entry.id === id)
  if (target === undefined)
    return {
      what: `${here} is for the entry "${id}", which the layers below it don't have.${didYouMean(id, ids(entries))}`,
      next: `correct the id, or name it in allowUnmatched; ${subject} has at that place: ${listed(ids(entries)) || 'nothing'}.`,
    }
  if (insert)
    return {
      what: `${here} inserts into the entry "${id}" ('${target.name}'), which is not a group.`,
      next: 'leave the id out to insert at the top, or name a group.',
    }
  return {
    what: `${here} takes the entry "${id}" for '${name}', and it is '${target.name}'.${didYouMean(String(name), names(entries))}`,
    next: 'correct the name or the id, or leave the name out.',
  }
}

function names(entries: readonly EntryOptions[]): string[] {
  return [...new Set(flat(entries).map(({ name }) => name))]
}

/** The loader would give both rows to one entry. */
function repeatedIds(here: string, { insert }: PatchOptions, entries: readonly EntryOptions[]): ProfileProblem[] {
  const taken = new Set(ids(entries))
  return ids(insert ?? []).flatMap((id) => {
    if (!taken.has(id)) {
      taken.add(id)
      return []
    }
    return {
      what: `${here} inserts the entry "${id}", and there is one of that id.`,
      next: 'patch that entry by its id, or give the new one an id of its own.',
    }
  })
}

function unknownKeys(here: string, patch: PatchOptions): ProfileProblem[] {
  return Object.keys(patch)
    .filter((key) => !PATCH_KEYS.includes(key))
    .map((key) => ({
      what: `${here}${patch.id === undefined ? '' : ` (for "${patch.id}")`} has the key "${key}", which no patch has.${didYouMean(key, PATCH_KEYS)}`,
      next: `use one of ${PATCH_KEYS.join(', ')}; settings of the plugin go into config.`,
    }))
}
