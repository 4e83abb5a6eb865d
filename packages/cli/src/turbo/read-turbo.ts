/** Reads the turbo.json files that hold for a package. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TurboTask } from './judge-task.ts'

/** A task as it is written. */
interface WrittenTask {
  readonly dependsOn?: readonly string[]
  readonly inputs?: readonly string[]
  readonly env?: readonly string[]
  readonly passThroughEnv?: readonly string[] | null
  readonly outputs?: readonly string[]
  readonly cache?: boolean
}

interface TurboFile {
  readonly extends?: readonly string[]
  readonly tasks?: Readonly<Record<string, WrittenTask>>
  readonly globalEnv?: readonly string[]
  readonly globalPassThroughEnv?: readonly string[] | null
  readonly globalDependencies?: readonly string[]
}

/** What turbo knows of a package. */
export interface TurboSetup {
  /** Absolute root of the repository. */
  readonly root: string
  /** Every task that holds for the package, by name without the package's. */
  readonly tasks: Readonly<Record<string, WrittenTask>>
  /** The task, or undefined when turbo.json has none of that name. */
  task(name: string): TurboTask | undefined
}

/** The setup of the package in `folder`, or null when no turbo.json is found, or it can't be read. */
export function readTurbo(folder: string, packageName: string | undefined): TurboSetup | null {
  const root = findRoot(folder)
  const top = root === null ? null : readTurboFile(root)
  if (root === null || top === null) return null
  const own = root === folder ? null : readTurboFile(folder)
  const tasks: Record<string, WrittenTask> = {}
  for (const [key, task] of [...Object.entries(top.tasks ?? {}), ...Object.entries(own?.tasks ?? {})]) {
    const [owner, name = ''] = key.includes('#') ? key.split('#') : [packageName, key]
    // A key of one package, and one in the package's own file, come over the general one field by field.
    if (owner === packageName) tasks[name] = { ...tasks[name], ...task }
  }
  return {
    root,
    tasks,
    task(name) {
      const task = tasks[name]
      if (task === undefined) return undefined
      return {
        dependsOn: task.dependsOn ?? [],
        ...(task.inputs === undefined ? {} : { inputs: task.inputs }),
        env: [...(top.globalEnv ?? []), ...(task.env ?? [])],
        passThroughEnv: [...(top.globalPassThroughEnv ?? []), ...(task.passThroughEnv ?? [])],
        globalInputs: top.globalDependencies ?? [],
        cache: task.cache ?? true,
        outputs: task.outputs ?? [],
      }
    },
  }
}

/** The nearest folder with a turbo.json that extends no other. */
function findRoot(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const file = readTurboFile(at)
    if (file !== null && file.extends === undefined) return at
    if (dirname(at) === at) return null
  }
}

function readTurboFile(folder: string): TurboFile | null {
  const file = ['turbo.json', 'turbo.jsonc'].map((name) => join(folder, name)).find(existsSync)
  if (file === undefined) return null
  try {
    return JSON.parse(withoutComments(readFileSync(file, 'utf8'))) as TurboFile
  } catch {
    // turbo itself has read it, or will say better than we could what is wrong with it.
    return null
  }
}

/** JSON with comments and trailing commas, as turbo takes it, as plain JSON. */
export function withoutComments(text: string): string {
  return text
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, quoted: string | undefined) => quoted ?? '')
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, quoted: string | undefined) => quoted ?? '')
}
