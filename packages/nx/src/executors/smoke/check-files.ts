/** Looks whether the files are there that a target names, before anything is started. */
import { existsSync, statSync } from 'node:fs'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { type ExampleMode, OptionError, resolveExampleLaunch } from '@loader-smoke/harness'
import { modelFile, nameOf, writtenAs, type WrittenNames } from '@loader-smoke/harness/config'
import type { RunOptions, TaskPlace } from './run-options.ts'

/** Targets that build before they run, for the message about built files that are missing. */
export interface BuildingTargets {
  /** The target that runs this smoke in mode lib after `build`, or null when there is none. */
  readonly twin: string | null
  /** The target that builds the project. */
  readonly build: string
  /** The project has that target. */
  readonly hasBuild: boolean
  /** True when this very task already depended on the build. */
  readonly built: boolean
}

/**
 * Checks the bin of the mode, the config, the TypeScript project and the file of the model: the harness knows neither where a target's paths start nor what
 * it depends on. What is in the project is the harness' to check.
 * @throws OptionError naming the first that is missing and what to do.
 */
export function checkFiles(run: RunOptions, mode: ExampleMode, place: TaskPlace, targets: BuildingTargets): void {
  const { names } = run
  const { binScript, configPath, libBinScript, tsconfigPath, label } = run.harness
  if (binScript === undefined)
    throw new OptionError(
      'binScript',
      'bin (binScript) must be given: the source file of the entry point, such as "{projectRoot}/src/bin.ts".\n' +
        `Next: write "bin" into the options of ${place.projectName}:${place.targetName}.`,
    )
  if (mode === 'src') requireFile('binScript', '', binScript, place, names)
  else {
    const { args } = resolveExampleLaunch({ srcBin: binScript, libBin: libBinScript, mode: 'lib' })
    const entry = args[0] ?? ''
    if (!isFile(entry)) throw new OptionError('libBinScript', missingBuiltEntry(label, entry, place, targets))
  }
  if (configPath !== undefined) requireFile('configPath', '', configPath, place, names)
  if (mode === 'src' && tsconfigPath !== undefined) requireFile('tsconfigPath', '', tsconfigPath, place, names)
  if (run.model !== undefined) {
    const { field, path } = modelFile(run.model)
    requireFile('model', field, path, place, names)
  }
}

function missingBuiltEntry(
  label: string,
  entry: string,
  place: TaskPlace,
  { twin, build, hasBuild, built }: BuildingTargets,
): string {
  const what = `${label} has no built entry ${entry}`
  if (!hasBuild)
    return (
      `${what}, and the project ${place.projectName} has no target ${build} that would make it.\n` +
      `Next: add a target or a package.json script ${build} that compiles to that file, name the file that there is as "libBin", or run the source with --mode=src.`
    )
  if (built)
    return (
      `${what}, although ${place.projectName}:${build} ran before it.\n` +
      'Next: name the file that the build makes for the bin as "libBin", or correct the build.'
    )
  return twin === null
    ? `${what}\nNext: run \`nx run ${place.projectName}:${build}\` first.`
    : `${what}\nNext: run \`nx run ${place.projectName}:${twin}\`, which builds first, or \`nx run ${place.projectName}:${build}\` and then this again.`
}

function requireFile(option: string, field: string, path: string, place: TaskPlace, names: WrittenNames): void {
  if (isFile(path)) return
  const is = existsSync(path) ? ', which is a folder' : ''
  // The options of a target stand in no file; those of a smoke.config have its path.
  const inFile = isAbsolute(names.get(option)?.place ?? '')
  const next = inFile
    ? `create it, or correct ${nameOf(option, names)}${field}; paths start at the folder of that file.`
    : whereInstead(path, place)
  throw new OptionError(
    option,
    `${writtenAs(option, names)}${field} must be an existing file, got ${JSON.stringify(path)}${is}.\nNext: ${next}`,
  )
}

/** A relative path starts at the workspace root; many expect the project. */
function whereInstead(path: string, { workspaceRoot, projectRoot }: TaskPlace): string {
  const inProject = resolve(workspaceRoot, projectRoot)
  const fromRoot = path.startsWith(workspaceRoot) ? path.slice(workspaceRoot.length + 1) : basename(path)
  const there = [join(inProject, fromRoot), join(inProject, basename(path))].find(isFile)
  return there === undefined
    ? 'paths start at the workspace root; begin them with {projectRoot}/ to start at the project.'
    : `write it as "{projectRoot}${there.slice(inProject.length).replaceAll('\\', '/')}": paths start at the workspace root.`
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
