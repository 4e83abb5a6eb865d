/** Finds and reads `smoke.config.json`, `.ts` and `.mts`: the smokes of a package, for whoever runs them. */
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkSmokeFile, type SmokeFile } from './check-smoke-file.ts'
import { importInTime } from './import-in-time.ts'
import { OptionError } from './option-error.ts'

/** How long the code of a smoke file may take to be imported, in milliseconds: long for a slow disk, short for somebody who waits for `nx`. */
const IMPORT_DEADLINE_MS = 10_000

/** The names a file of smokes may have. */
export const SMOKE_FILE_NAMES = ['smoke.config.json', 'smoke.config.ts', 'smoke.config.mts'] as const

/**
 * The absolute path of the smoke file in `folder`, or undefined when it has none.
 * @throws OptionError when it has more than one.
 */
export function findSmokeFile(folder: string): string | undefined {
  const found = SMOKE_FILE_NAMES.map((name) => resolve(folder, name)).filter(
    (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
  )
  if (found.length > 1)
    throw new OptionError(
      'config',
      `${folder} has ${found.map((path) => basename(path)).join(' and ')}: only one of them can count.\nNext: keep one.`,
    )
  return found[0]
}

/**
 * Reads and checks a smoke file. A `.ts` or `.mts` file is imported: Node strips its types, and it runs; a changed one is read anew, what it imports is not.
 * When the process ends while it is being imported, the file is named on standard error and the exit code is 2.
 * @param path absolute, or relative to the current folder.
 * @param deadlineMs how long the import may take. Code that never gives the thread back is not stopped.
 * @throws OptionError whose message begins with the path: unreadable, no JSON, not imported in time, no default export, or an option that can't be run with.
 */
export async function loadSmokeFile(path: string, deadlineMs: number = IMPORT_DEADLINE_MS): Promise<SmokeFile> {
  const file = resolve(path)
  return checkSmokeFile(extname(file) === '.json' ? readJson(file) : await importDefault(file, deadlineMs), file)
}

function readJson(file: string): unknown {
  const text = readText(file)
  try {
    // Editors on Windows may write a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new OptionError(
      'config',
      `${file} is no JSON: ${(cause as Error).message}.\nNext: correct it there; comments and trailing commas are not JSON, smoke.config.ts takes both.`,
      cause,
    )
  }
}

async function importDefault(file: string, deadlineMs: number): Promise<unknown> {
  const version = createHash('sha256').update(readText(file)).digest('hex').slice(0, 12)
  // The query makes a changed file another module: the import cache of a process that lives long would give the old one.
  const module = await importInTime(`${pathToFileURL(file).href}?version=${version}`, file, deadlineMs)
  if (module.default === undefined)
    throw new OptionError(
      'config',
      `${file} has no default export, expected the smokes.\nNext: write \`export default defineSmokeConfig({ … })\`.`,
    )
  return module.default
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new OptionError(
      'config',
      `${file} can't be read: ${(cause as Error).message}.\nNext: create it (\`npx loader-smoke init\`), or name another file.`,
      cause,
    )
  }
}
