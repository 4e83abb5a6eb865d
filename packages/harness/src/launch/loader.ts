/** Finds the loader of `src` mode. The bin's working folder is a temporary one, so Node itself would not find it by name. */
import { createRequire } from 'node:module'
import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { OptionError, show } from '../config/option-error.ts'
import { IN_CODE, nameOf, writtenAs, type WrittenNames } from '../config/written-names.ts'

// Node takes `conditions` since 24, its types do not have it yet; an older Node ignores it and finds loaders with a `require` or `default` entry.
const IMPORT = { conditions: new Set(['node', 'import', 'module-sync', 'default']) } as RequireResolveOptions

type RequireResolveOptions = NonNullable<Parameters<NodeJS.RequireResolve>[1]>

/**
 * The absolute URL of what `--import` loads.
 * `tsx` and its entries are this package's own dependency; anything else is looked for from the bin's package first.
 * @param name a package (or an entry of one), an absolute path, or a `file:` URL.
 * @throws OptionError when it is not installed.
 */
export function resolveLoader(name: string, bin: string, names: WrittenNames = IN_CODE): string {
  if (name.startsWith('file:')) return name
  if (isAbsolute(name)) return pathToFileURL(name).href
  const own = name === 'tsx' || name.startsWith('tsx/')
  const places = own ? [import.meta.url, bin] : [bin, import.meta.url]
  for (const place of places) {
    const file = find(name, place)
    if (file !== null) return pathToFileURL(file).href
  }
  throw new OptionError(
    'sourceImport',
    `${writtenAs('sourceImport', names)} must be an installed loader, got ${show(name)}, which is found neither from ${bin} nor from this package.\n` +
      `Next: install it in the bin's package, or leave ${nameOf('sourceImport', names)} out for 'tsx'.`,
  )
}

function find(name: string, place: string): string | null {
  const { resolve } = createRequire(place)
  for (const options of [undefined, IMPORT]) {
    try {
      return resolve(name, options)
    } catch {
      // Not found from here, or found without an entry for these conditions: the next place or condition may have it.
    }
  }
  return null
}
