/** What the files around a failed run say about it; for the "Next:" lines of its message. */
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SmokeSpec } from '../config/resolve.ts'
import { lostPath } from '../launch/tsconfig.ts'
import { buildCommand, owningManifest } from '../launch/workspace.ts'
import { packageNameOf } from '../reads/package-name.ts'

/** A package that the bin could not import. */
export interface UnresolvedPackage {
  readonly name: string
  /** The `package.json` that owns the config (or, without a config, the bin): it must declare the package. Null when there is none. */
  readonly manifest: string | null
  /** It does declare it: then the package is not installed, or not built. */
  readonly declared: boolean
  /** The loader looked for it, from where the loader itself is: the paths of a tsconfig have no effect there. */
  readonly byLoader?: true
  /** Absolute: where the `paths` of the TypeScript project lead it, and nothing is. */
  readonly lost?: string
}

/** A file of a package of the workspace that was imported and is not there. */
export interface UnbuiltFile {
  /** Absolute. */
  readonly file: string
  /** Builds the package it belongs to. */
  readonly command: string
}

/** Hints that need a look at the files. */
export interface Clues {
  /** The config that was named but is not there. */
  readonly missingConfig: string | null
  readonly unresolved: UnresolvedPackage | null
  readonly unbuilt?: UnbuiltFile
}

/** Looks at the config, and at the owner of a package that `stderr`, `stdout` or the loader itself (in `bootWarnings`) says was not found. */
export function findClues(
  { configPath, bin, mode, tsconfigPath }: Pick<SmokeSpec, 'configPath' | 'bin' | 'mode' | 'tsconfigPath'>,
  cwd: string,
  stderr: string,
  stdout: string,
  bootWarnings: readonly string[],
): Clues {
  const config = configPath === null ? null : resolve(cwd, configPath)
  const byBin = unresolvedPackage(stderr) ?? unresolvedPackage(stdout)
  const byLoader = bootWarnings.map(unresolvedPackage).find((found) => found !== null)
  const name = byBin ?? byLoader ?? null
  const lost = byBin !== null && mode === 'src' && tsconfigPath !== null ? lostPath(tsconfigPath, byBin) : null
  const unbuilt = [stderr, stdout, ...bootWarnings].map(unbuiltFile).find((found) => found !== null)
  return {
    missingConfig: config !== null && !existsSync(config) ? config : null,
    unresolved:
      name === null
        ? null
        : {
            name,
            ...declaredBy(config ?? bin.source, name),
            ...(byBin === null && { byLoader: true }),
            ...(lost !== null && { lost }),
          },
    ...(unbuilt && { unbuilt }),
  }
}

const NOT_FOUND = /Cannot find (?:package|module) '([^']+)'/

/** The file in such a message, when a package outside of `node_modules` that has a build script owns it and it is indeed not there. */
function unbuiltFile(text: string): UnbuiltFile | null {
  const specifier = NOT_FOUND.exec(text)?.[1] ?? ''
  const named = specifier.startsWith('file:') ? pathOf(specifier) : specifier
  if (!isAbsolute(named) || existsSync(named)) return null
  // Package managers link the packages of a workspace into node_modules.
  const file = realPathOfMissing(named)
  if (file.includes(`${sep}node_modules${sep}`)) return null
  const scripts = Object(owningManifest(file)?.content['scripts'])
  return Object.hasOwn(scripts, 'build') ? { file, command: buildCommand(file) } : null
}

/** Empty for a URL that names no file here. */
function pathOf(url: string): string {
  try {
    return fileURLToPath(url)
  } catch {
    // One with a host or a bad escape: whatever the program printed, it must not take the place of the verdict.
    return ''
  }
}

function realPathOfMissing(file: string): string {
  const folder = dirname(file)
  if (folder === file) return file
  return join(existsSync(folder) ? realpathSync(folder) : realPathOfMissing(folder), basename(file))
}

/** The package name in Node's message about a bare import that it could not find; null without one. Pure. */
export function unresolvedPackage(text: string): string | null {
  const specifier = NOT_FOUND.exec(text)?.[1]
  if (specifier === undefined || /^(?:[./\\]|file:|node:|[a-z]:[/\\])/i.test(specifier)) return null
  return packageNameOf(specifier)
}

const DEPENDENCY_FIELDS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

function declaredBy(file: string, name: string): Pick<UnresolvedPackage, 'manifest' | 'declared'> {
  const owner = owningManifest(file)
  const declares = (field: string) => Object.hasOwn(Object(owner?.content[field]), name)
  return { manifest: owner?.file ?? null, declared: DEPENDENCY_FIELDS.some(declares) }
}
