/** Lets an overlay name a plugin that lies beside it: the loader would look beside the profile's config. Pure. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PatchOptions } from '@deepseek-ai/cordis-plugin-include'
import type { EntryOptions } from '@deepseek-ai/cordis-plugin-loader'

/** The same patches with each relative plugin name (`./model.ts`) as the URL of a file below `folder`. */
export function besideOverlay(folder: string, patches: readonly PatchOptions[]): PatchOptions[] {
  return patches.map((patch) => ({
    ...patch,
    ...(typeof patch.name === 'string' && { name: absolute(folder, patch.name) }),
    ...(Array.isArray(patch.insert) && { insert: patch.insert.map((entry) => moved(folder, entry)) }),
  }))
}

function moved(folder: string, entry: EntryOptions): EntryOptions {
  return {
    ...entry,
    ...(typeof entry.name === 'string' && { name: absolute(folder, entry.name) }),
    ...(entry.group && Array.isArray(entry.config) && { config: entry.config.map((child) => moved(folder, child)) }),
  }
}

function absolute(folder: string, name: string): string {
  return /^\.{1,2}\//.test(name) ? pathToFileURL(resolve(folder, name)).href : name
}
