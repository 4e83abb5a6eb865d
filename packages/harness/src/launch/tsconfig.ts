/**
 * Looks whether the TypeScript project of `src` mode can be used, before anything is started: the loader takes broken text for an empty project, and
 * tells the rest as a crash of the bin. What a project means (`extends`, packages in it, `paths`) is told by the library that `tsx` itself is built with.
 */
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname } from 'node:path'
import type * as GetTsconfig from 'get-tsconfig'
import type * as Jsonc from 'jsonc-parser'
import { show } from '../config/option-error.ts'
import { writtenAs, type WrittenNames } from '../config/written-names.ts'
import { fileView } from '../reads/file-view.ts'
import { tsconfigChain } from '../reads/tsconfig-chain.ts'
import { LaunchError } from './launch-error.ts'

/** Both are loaded when they are wanted: together they cost some 15 ms of CPU, and built output needs neither. */
const require = createRequire(import.meta.url)

/**
 * Checks the text of the project and of every file of the workspace that it extends, that all it extends is there, and that its `paths` can be read.
 * @param path absolute, of an existing file.
 * @throws LaunchError naming the file in which something is wrong.
 */
export function checkTsconfig(path: string, names: WrittenNames): void {
  const refuse = (allowed: string, why: string, next: string, cause?: unknown) =>
    new LaunchError(
      'options',
      `${writtenAs('tsconfigPath', names)} must be ${allowed}, got ${show(path)}${why}.\nNext: ${next}`,
      cause,
    )
  // Each file is read once for the walk and for its check.
  const view = fileView()
  for (const file of tsconfigChain([path], parseStrictly, view).files) {
    const problem = view.parsed(file, problemOf) ?? null
    const through = file === path ? '' : `, which extends ${show(file)}`
    if (problem !== null) throw refuse('a file of JSON with comments', `${through}: ${problem}`, 'correct that file.')
  }
  const { createPathsMatcher, parseTsconfig } = require('get-tsconfig') as typeof GetTsconfig
  try {
    createPathsMatcher({ path, config: parseTsconfig(path) })
  } catch (cause) {
    const why = `: ${(cause as Error).message.replace(/\.$/, '')}`
    throw refuse(
      'a project that can be loaded',
      why,
      'correct it there, or install the package that it extends.',
      cause,
    )
  }
}

/**
 * Where the `paths` of a project lead an import that was not found, when nothing is there; null when they don't name it, or lead somewhere.
 * Only a failed run asks: an entry that leads nowhere is common, and harmless for a bin that doesn't import it.
 * @param path absolute, of a project that `checkTsconfig` took before the run; null, too, when it can't be loaded any more.
 */
export function lostPath(path: string, specifier: string): string | null {
  const targets = targetsOf(path, specifier)
  return targets.some(leadsSomewhere) ? null : (targets[0] ?? null)
}

function targetsOf(path: string, specifier: string): readonly string[] {
  const { createPathsMatcher, parseTsconfig } = require('get-tsconfig') as typeof GetTsconfig
  try {
    return createPathsMatcher({ path, config: parseTsconfig(path) })?.(specifier) ?? []
  } catch {
    // Changed while the bin ran: a clue must not take the place of the verdict.
    return []
  }
}

/** What is wrong with the text of a project, or null. */
function problemOf(text: string): string | null {
  let value: unknown
  try {
    value = parseStrictly(text)
  } catch (error) {
    return (error as Error).message
  }
  if (value === undefined) return null
  if (!isFields(value)) return 'it is no object'
  const { extends: bases, compilerOptions = {} } = value
  if (bases !== undefined && !isText(bases) && !(Array.isArray(bases) && bases.every(isText)))
    return 'its extends is neither a text nor a list of texts'
  if (!isFields(compilerOptions)) return 'its compilerOptions are no object'
  const { paths = {} } = compilerOptions
  if (!isFields(paths)) return 'its paths are no object'
  const wrong = Object.entries(paths).find(([, targets]) => !Array.isArray(targets) || !targets.every(isText))
  return wrong === undefined ? null : `its paths give ${show(wrong[0])} no list of texts`
}

/** The value of a text of JSON with comments and trailing commas; undefined for an empty one. @throws SyntaxError with the place of the first mistake. */
function parseStrictly(given: string): unknown {
  const text = given.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch {
    // Most projects are plain JSON; of any other text the library below knows what is wrong with it, if anything.
  }
  const { parse, printParseErrorCode } = require('jsonc-parser') as typeof Jsonc
  const errors: Jsonc.ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true })
  const [first] = errors
  if (first === undefined) return value
  const lines = text.slice(0, first.offset).split('\n')
  throw new SyntaxError(`${printParseErrorCode(first.error)} at ${lines.length}:${(lines.at(-1) ?? '').length + 1}`)
}

/** A target is a file or a folder, with or without its ending. */
function leadsSomewhere(target: string): boolean {
  const stem = basename(target).replace(/\.[^.]+$/, '')
  return existsSync(target) || namesIn(dirname(target)).some((name) => name.startsWith(`${stem}.`))
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // Not there, a file, or not ours to read: nothing can be imported from there.
    return []
  }
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
