/** What a failed import of a plugin means, and what to do about it. Pure. */
import { fileURLToPath } from 'node:url'
import { didYouMean } from '../nearest.ts'
import type { ProfileProblem } from '../profile-error.ts'
import { NotFoundFrom } from './import-from.ts'
import type { ImportFailure } from './watch-imports.ts'

/** What is known of the installation. */
export interface Installation {
  /** Absolute path of the app's `package.json`. */
  readonly anchor: string
  /** The packages it links for profiles. */
  readonly packages: readonly string[]
}

/** The problem behind `failure`; `by` are the ids of the entries that name the plugin, or the words for who does. */
export function explainFailure(
  { name, error }: ImportFailure,
  by: readonly string[] | string,
  { anchor, packages }: Installation,
): ProfileProblem {
  const quoted = typeof by === 'string' ? by : by.map((id) => `"${id}"`).join(', ')
  const subject = typeof by === 'string' ? by : `${by.length === 1 ? 'the entry' : 'entries'} ${quoted}`
  if (error instanceof NotFoundFrom)
    return {
      what: `${subject} named the plugin '${name}', which was not found. Looked from: ${error.places.map(toPath).join('; ')}.${didYouMean(name, packages)}`,
      next: `correct the name, or add the package to the dependencies in ${anchor} (for a plugin of an overlay: of the package the overlay is in) and install.`,
    }
  const { code, message } = Object(error) as { code?: string; message?: string }
  if (code === 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING')
    return {
      what: `${subject} named the plugin '${name}', which is TypeScript below node_modules${fileIn(message)}; Node strips types only of files elsewhere.`,
      next: `point the package's exports at built JavaScript, name the file by a path outside of node_modules, or run the smoke in src mode, where tsx compiles it.`,
    }
  if (code === 'ERR_MODULE_NOT_FOUND')
    return {
      what: `${subject} named the plugin '${name}', and importing it ended at a missing module: ${firstLine(message)}.`,
      next: 'build the package that the missing file belongs to, or install the package that is missing.',
    }
  return {
    what: `${subject} named the plugin '${name}', and importing it ended in an error: ${firstLine(message ?? String(error))}`,
    next: 'see the stack of the cause, and put the plugin right.',
  }
}

function toPath(url: string): string {
  return url.startsWith('file:') ? fileURLToPath(url).replace(/(?<=.)[/\\]$/, '') : url
}

function fileIn(message = ''): string {
  const url = /"(file:[^"]+)"/.exec(message)?.[1]
  return url === undefined ? '' : ` (${toPath(url)})`
}

function firstLine(text = ''): string {
  return text.split('\n')[0] ?? ''
}
