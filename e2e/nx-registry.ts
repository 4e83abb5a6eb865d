/** A registry on loopback that has this repository's packages, for end-to-end tests that install them as a user does. */
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { waitFor } from '@loader-smoke/testkit'
import { packPackages, ROOT, userEnvironment } from './packed.ts'

const run = promisify(execFile)

/** A running registry; `await using` ends it. */
export interface Registry extends AsyncDisposable {
  readonly url: string
  /** What a package manager that uses it has in its environment; pnpm is on its path. */
  readonly env: Readonly<Record<string, string>>
}

/** Starts the registry below `folder` and publishes the packages of `packages/<name>`. Others come from the registry that npm is configured with. */
export async function startRegistry(folder: string, packages: readonly string[]): Promise<Registry> {
  const tools = await installTools()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  await mkdir(folder, { recursive: true })
  const { stdout: upstream } = await run('npm', ['config', 'get', 'registry'], { env: userEnvironment() })
  await writeFile(
    join(folder, 'config.yaml'),
    [
      `storage: ${JSON.stringify(join(folder, 'storage'))}`,
      `uplinks: { upstream: { url: ${JSON.stringify(upstream.trim())}, cache: true, maxage: 30m, timeout: 60s } }`,
      'packages:',
      "  '@loader-smoke/*': { access: $all, publish: $all }",
      "  '**': { access: $all, proxy: upstream }",
      'log: { type: file, path: verdaccio.log, level: warn }',
      '',
    ].join('\n'),
  )
  const program = join(tools, 'node_modules', 'verdaccio', 'bin', 'verdaccio')
  const server = spawn(
    process.execPath,
    [program, '--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`],
    {
      cwd: folder,
      env: userEnvironment(),
      stdio: 'ignore',
    },
  )
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()))
  await waitFor('the registry to answer', async () => (await fetch(`${url}-/ping`)).ok, {
    deadlineMs: 60_000,
    everyMs: 100,
  })
  // npm refuses to publish without a token; the registry takes any.
  const rc = join(folder, 'npmrc')
  await writeFile(rc, `registry=${url}\n${url.replace('http:', '')}:_authToken=anyone\n`)
  const PATH = [join(tools, 'node_modules', '.bin'), userEnvironment()['PATH']].join(delimiter)
  const env = { npm_config_registry: url, npm_config_userconfig: rc, PATH }
  const packed = await packPackages(packages, join(folder, 'packed'))
  for (const file of Object.values(packed))
    await run('npm', ['publish', file, '--ignore-scripts'], { cwd: folder, env: { ...userEnvironment(), ...env } })
  return {
    url,
    env,
    async [Symbol.asyncDispose]() {
      server.kill('SIGKILL')
      await ended
    },
  }
}

/** Installs the registry's own program and pnpm once for each state of their lockfile. */
async function installTools(): Promise<string> {
  const from = join(ROOT, 'e2e', 'nx-registry')
  const version = createHash('sha256')
    .update(await readFile(join(from, 'package-lock.json')))
    .digest('hex')
    .slice(0, 12)
  const folder = join(ROOT, 'node_modules', '.cache', 'loader-smoke-e2e', version)
  if (existsSync(join(folder, 'installed'))) return folder
  await mkdir(folder, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) await cp(join(from, name), join(folder, name))
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, env: userEnvironment(), timeout: 300_000 })
  await writeFile(join(folder, 'installed'), '')
  return folder
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('the system gave no port')
  return address.port
}
