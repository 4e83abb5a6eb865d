/** Whether a task of turbo.json says everything that a smoke depends on. What it leaves out would let a cached pass stand for a run that never was. Pure. */
import { matchesEnv, matchesPath } from './glob.ts'
import type { UndeclaredLink } from './reads.ts'

/** A task as turbo.json has it, with what holds for every task added. */
export interface TurboTask {
  /** Names of the tasks it waits for, as written. */
  readonly dependsOn: readonly string[]
  /** Absent: every file of the package. */
  readonly inputs?: readonly string[]
  readonly env: readonly string[]
  readonly passThroughEnv: readonly string[]
  /** Relative to the repository. */
  readonly globalInputs: readonly string[]
  readonly cache: boolean
  readonly outputs: readonly string[]
}

/** What the smokes of a task depend on. */
export interface Needs {
  /** Environment names whose values matter. */
  readonly env: readonly string[]
  /** Files outside of the package, relative to the repository, with forward slashes. */
  readonly outside: readonly string[]
  /** Files of the package, relative to it, with forward slashes. */
  readonly inside: readonly string[]
  /** Some smoke runs built files. */
  readonly built: boolean
  /** Names of the scripts of package.json: turbo takes a task without one as done. */
  readonly scripts: readonly string[]
  /** Packages of the workspace that are loaded through a link, but not declared. */
  readonly undeclared: readonly UndeclaredLink[]
  /** Packages of the workspace that this one depends on. */
  readonly workspacePackages: readonly string[]
  /** Relative to the package, with forward slashes; null when the reports go elsewhere. */
  readonly output: string | null
}

/** What is reached from a task by way of `dependsOn`. */
export interface Reach {
  /** Tasks of the packages that this one depends on. */
  readonly dependencies: boolean
  /** A task of the same package that writes outputs. */
  readonly build: boolean
  /** Names of the tasks of the same package. */
  readonly own: readonly string[]
}

/** One sentence for each thing that is missing, with what to write; empty when nothing is. */
export function judgeTask(name: string, task: TurboTask, needs: Needs, reach: Reach): string[] {
  const problems: string[] = []
  if (needs.built && !reach.build) problems.push(unbuilt(name, needs.scripts, reach.own))
  if (!task.cache) return problems
  for (const variable of needs.env) {
    if (matchesEnv(variable, task.env)) continue
    const passed = matchesEnv(variable, task.passThroughEnv)
    problems.push(
      `${variable} decides what this task tests, but is ${passed ? 'only in passThroughEnv: its value is not part of the cache key' : 'not declared: turbo takes it out of the environment'}. Add ${JSON.stringify(wildcardOf(variable))} to "env" of "${name}".`,
    )
  }
  for (const file of needs.outside) {
    const covered = matchesPath(file, task.globalInputs) || matchesPath(`$TURBO_ROOT$/${file}`, task.inputs ?? [])
    if (!covered)
      problems.push(
        `${file} is read but is no input, so that a change of it would be missed. Add "$TURBO_ROOT$/${file}" to "inputs" of "${name}".`,
      )
  }
  const { inputs } = task
  if (inputs !== undefined && !inputs.includes('$TURBO_DEFAULT$'))
    for (const file of needs.inside)
      if (!matchesPath(file, inputs))
        problems.push(
          `${file} is read but is no input, so that a change of it would be missed. Add "$TURBO_DEFAULT$" to "inputs" of "${name}".`,
        )
  for (const { name: link, folder } of needs.undeclared) {
    const pattern = `$TURBO_ROOT$/${folder}/**`
    if (!matchesPath(pattern, task.inputs ?? []) && !matchesPath(`${folder}/**`, task.globalInputs))
      problems.push(
        `${link} is loaded from ${folder} through a link that package.json does not declare, so that a change there would be missed. Add ${JSON.stringify(link)} to "dependencies" of package.json, or "${pattern}" to "inputs" of "${name}".`,
      )
  }
  if (needs.workspacePackages.length > 0 && !reach.dependencies)
    problems.push(
      `${needs.workspacePackages.join(', ')} ${needs.workspacePackages.length === 1 ? 'is' : 'are'} run from source, but a change there is not noticed. Add "transit": { "dependsOn": ["^transit"] } to the tasks, and "transit" to "dependsOn" of "${name}".`,
    )
  if (needs.output !== null && !task.outputs.some((pattern) => matchesPath(`${needs.output}/report.json`, [pattern])))
    problems.push(
      `the reports in ${needs.output} would not come back from the cache. Add "${needs.output}/**" to "outputs" of "${name}".`,
    )
  return problems
}

/** Why nothing that the task waits for gives it built files. */
function unbuilt(name: string, scripts: readonly string[], own: readonly string[]): string {
  const waited = own.includes('build') ? 'build' : own.find((task) => scripts.includes(task))
  const lead = `mode is 'lib', but "${name}" waits for no task that builds: it would test whatever was built last.`
  if (waited === undefined) return `${lead} Run \`turbo run smoke:lib\`, or add "build" to "dependsOn" of "${name}".`
  if (!scripts.includes(waited))
    return `mode is 'lib', and "${name}" waits for "${waited}", but package.json has no script of that name: nothing builds what it would test. Add "${waited}" to "scripts" of package.json, and the folder that it writes to "outputs" of "${waited}" in turbo.json.`
  return `mode is 'lib', and "${name}" waits for "${waited}", which has no "outputs" in turbo.json: its built files would not come back from the cache. Add them, for instance "outputs": ["lib/**"].`
}

/** What waiting for the task `name` reaches, directly or by way of other tasks. */
export function reachOf(
  name: string,
  tasks: Readonly<Record<string, { readonly dependsOn?: readonly string[]; readonly outputs?: readonly string[] }>>,
): Reach {
  const seen = new Set<string>()
  const open = [...(tasks[name]?.dependsOn ?? [])]
  const own: string[] = []
  const reach = { dependencies: false, build: false, own }
  for (let task = open.pop(); task !== undefined; task = open.pop()) {
    if (seen.has(task)) continue
    seen.add(task)
    if (task.startsWith('^')) reach.dependencies = true
    else {
      own.push(task)
      if ((tasks[task]?.outputs ?? []).length > 0) reach.build = true
    }
    open.push(...(tasks[task]?.dependsOn ?? []))
  }
  return reach
}

/** What the documentation shows: all names of a kind, so that the next one is declared already. */
function wildcardOf(variable: string): string {
  return /^(?:DSH|LOADER_SMOKE)_/.test(variable)
    ? variable.replace(/_.*$/, '_*').replace('LOADER_*', 'LOADER_SMOKE_*')
    : variable
}
