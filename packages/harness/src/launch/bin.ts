/** From a source entry to its built one. Pure. */
import { OptionError } from '../config/option-error.ts'

const MARKER_LENGTH = '/src/'.length

/**
 * The built entry of a source entry: the last `/src/` (or `\src\`) becomes `/lib/`, and `.ts .mts .cts .tsx` become `.js .mjs .cjs .js`.
 * @throws OptionError when the path has no such segment.
 */
export function toBuiltBin(source: string): string {
  const at = Math.max(source.lastIndexOf('/src/'), source.lastIndexOf('\\src\\'))
  if (at === -1)
    throw new OptionError(
      'binScript',
      `resolveExampleLaunch: expected a "/src/" segment or Windows equivalent in bin path ${JSON.stringify(source)}.\n` +
        'Next: pass the built entry point explicitly (libBin; in runLoaderSmoke libBinScript).',
    )
  const separator = source[at]
  return `${source.slice(0, at)}${separator}lib${separator}${toBuiltName(source.slice(at + MARKER_LENGTH))}`
}

function toBuiltName(name: string): string {
  return name.replace(/\.([mc]?)tsx?$/, '.$1js')
}
