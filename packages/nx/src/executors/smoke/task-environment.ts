/** The environment of one task in a process that runs many: Nx applies a task's `.env` files only where it starts a process for it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/** An environment as Node gives it. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The `.env` files of a task, relative to the workspace root; an earlier one wins.
 * @see https://nx.dev/docs/guides/tips-n-tricks/define-environment-variables
 */
export function dotenvFiles(projectRoot: string, targetName: string, configurationName: string | undefined): string[] {
  const names = [
    ...(configurationName === undefined ? [] : [`${targetName}.${configurationName}`, configurationName]),
    targetName,
  ]
  const files = [
    ...names.flatMap((name) => [`.env.${name}.local`, `.env.${name}`, `.${name}.local.env`, `.${name}.env`]),
    ...WORKSPACE_FILES,
  ]
  return [...(projectRoot === '.' ? [] : files.map((file) => `${projectRoot}/${file}`)), ...files]
}

/** Those that Nx has loaded into its own environment when it starts. */
const WORKSPACE_FILES = ['.env.local', '.local.env', '.env']

/**
 * `ambient` with the `.env` files of the task in it. What a person set wins over every file; what only came from the workspace's own files gives way to
 * more special ones. `NX_LOAD_DOT_ENV_FILES=false` keeps all files out, as in Nx.
 */
export function taskEnvironment(
  ambient: Environment,
  workspaceRoot: string,
  projectRoot: string,
  targetName: string,
  configurationName: string | undefined,
): Environment {
  if (ambient['NX_LOAD_DOT_ENV_FILES'] === 'false') return ambient
  const read = (file: string) => parse(join(workspaceRoot, file))
  const workspace = Object.assign({}, ...WORKSPACE_FILES.toReversed().map(read)) as Environment
  const own = Object.entries(ambient).filter(([name, value]) => workspace[name] !== value)
  const files = dotenvFiles(projectRoot, targetName, configurationName).toReversed().map(read)
  return { ...Object.assign({}, ...files), ...Object.fromEntries(own) } as Environment
}

function parse(file: string): Environment {
  try {
    return parseEnv(readFileSync(file, 'utf8')) as Environment
  } catch {
    // Not there, or no file: most tasks have none.
    return {}
  }
}
