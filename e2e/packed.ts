/** The packages of this repository as a user installs them: built, and packed into files. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Absolute root of this repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

const run = promisify(execFile)

/** The environment of a user whose Node is this one: without what this repository's own npm and Node set. */
export function userEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const own =
    /^(?:npm_(?!config_(?:registry|cache)$)|NODE_OPTIONS$|NODE$|INIT_CWD$|TURBO_|DSH_|LOADER_SMOKE_|NX_|CI$|GITHUB_|FORCE_COLOR$|NO_COLOR$|VITEST|TEST$|NODE_ENV$)/i
  const env = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !own.test(entry[0]),
  )
  return {
    ...Object.fromEntries(env),
    TURBO_TELEMETRY_DISABLED: '1',
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    ...more,
  }
}

/** Builds and packs the packages in `folders` (names below `packages/`) into `into`; resolves with package name → absolute path of the file. */
export async function packPackages(folders: readonly string[], into: string): Promise<Record<string, string>> {
  await mkdir(into, { recursive: true })
  const paths = folders.map((folder) => join(ROOT, 'packages', folder))
  await run('npx', ['--no-install', 'tsc', '-b', ...paths], { cwd: ROOT })
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', into, ...paths], {
    cwd: ROOT,
  })
  const packed = Object.values(
    JSON.parse(stdout) as Record<string, { readonly name: string; readonly filename: string }>,
  )
  return Object.fromEntries(packed.map(({ name, filename }) => [name, join(into, filename)]))
}

/** Points the dependencies of `folder`'s package.json that were packed to their files. */
export async function usePacked(folder: string, packed: Readonly<Record<string, string>>): Promise<void> {
  const file = join(folder, 'package.json')
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Record<string, Record<string, string> | undefined>
  for (const field of ['dependencies', 'devDependencies'])
    for (const name of Object.keys(manifest[field] ?? {})) {
      const path = packed[name]
      if (path !== undefined && manifest[field] !== undefined) manifest[field][name] = `file:${path}`
    }
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Packs the program and what it stands on, and installs in `folder` what the package.json there names, with those from their packed files. */
export async function installPacked(folder: string): Promise<void> {
  await usePacked(folder, await packPackages(['turn', 'harness', 'model-replay', 'cli'], join(folder, 'packed')))
  const { code, output } = await call(['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline'], folder)
  if (code !== 0) throw new Error(output)
}

/** What a program came to: its exit code, and both streams as one text. */
export interface Called {
  readonly code: number | null
  readonly output: string
}

/** Runs a program to its end, with `env` over the environment of a user. */
export async function call(
  [program = '', ...words]: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Called> {
  const child = spawn(program, words, { cwd, env: userEnvironment(env), stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}
