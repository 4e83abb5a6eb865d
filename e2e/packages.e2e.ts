/** Every package that is published, as its packed file: what is in it, and whether a consumer's tools accept it. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { tempWorkspace } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'

const run = promisify(execFile)
const packages = new URL('../packages/', import.meta.url).pathname

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

const published = readdirSync(packages, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'examples')
  .map(({ name: folder }) => ({ folder, manifest: read(join(packages, folder, 'package.json')) }))
  .filter(({ manifest }) => manifest.private !== true)
  .map(({ folder, manifest }) => ({ folder, manifest, name: manifest.name }))

function read(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest
}

async function npx(...args: string[]): Promise<string> {
  try {
    return (await run('npx', ['--no-install', ...args], { cwd: packages })).stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${args.join(' ')}\n${stdout}${stderr}`, { cause: error })
  }
}

describe.each(published)('$name as packed', ({ folder, manifest }) => {
  it('holds its built files, its licence and its README, and nothing of the build or the tests', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: join(packages, folder),
    })
    const [packed] = Object.values(JSON.parse(stdout) as Record<string, { files: { path: string }[] }>)
    const files = (packed?.files ?? []).map(({ path }) => path)
    const targets = Object.values(manifest.exports).flatMap((target) =>
      typeof target === 'string'
        ? [target]
        : Object.entries(target).flatMap(([condition, path]) => (condition === '@loader-smoke/source' ? [] : [path])),
    )
    expect(files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'package.json',
        ...targets.map((path) => path.replace('./', '')),
      ]),
    )
    expect(files.filter((path) => /tsbuildinfo|^tests\/|\.spec\./.test(path))).toEqual([])
  })

  it('is accepted by publint and attw', async () => {
    await using work = await tempWorkspace()
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', work.path], { cwd: join(packages, folder) })
    const file = work.file(readdirSync(work.path)[0] as string)
    await npx('publint', 'run', file, '--strict')
    await npx('attw', file, '--profile', 'esm-only')
  })
})
