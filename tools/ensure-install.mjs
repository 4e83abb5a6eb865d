/**
 * Makes `npm start` and `npm test` work on a fresh clone: runs `npm ci` when the installed packages are not those of the lockfile.
 *
 * Runs on the machine's own Node, before anything is installed, so it has no dependencies.
 * The stamp is written after `npm ci` has succeeded, and taken away before it starts: an install that failed or was
 * interrupted leaves no stamp, and is repeated the next time.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The file whose content says which lockfile the installed packages came from. @param {string} root */
export const stampPath = (root) => join(root, 'node_modules', '.loader-smoke-install')

/** A digest of everything that decides what `npm ci` installs; platform included, since native packages differ. @param {string} root */
export function installKey(root) {
  const hash = createHash('sha256')
  for (const file of ['package-lock.json', 'package.json', '.npmrc'])
    hash.update(file).update(readIfThere(join(root, file)))
  return hash.update(`${process.platform} ${process.arch}`).digest('hex')
}

/**
 * Installs when needed; returns the exit code for the calling script. `install` runs the install and returns its exit code.
 * @param {string} root
 * @param {(root: string) => number} install
 * @param {(line: string) => unknown} say
 */
export function ensureInstall(root, install = npmCi, say = console.error) {
  const key = installKey(root)
  const stamp = stampPath(root)
  const had = readIfThere(stamp)
  if (had === key) return 0
  say(
    had === ''
      ? 'Installing packages (npm ci): no finished install found.'
      : 'Installing packages (npm ci): the lockfile changed.',
  )
  rmSync(stamp, { force: true })
  const code = install(root)
  if (code !== 0) {
    say(`npm ci ended with exit code ${code}; the next run repeats it. Next: read npm's message above.`)
    return code
  }
  mkdirSync(join(root, 'node_modules'), { recursive: true })
  writeFileSync(stamp, key)
  say('Packages installed.')
  return 0
}

/** @param {string} root */
function npmCi(root) {
  // npm itself must run on the machine's Node: without NODE_OPTIONS, whose condition is meant for the repository's own code.
  const { NODE_OPTIONS: _, ...env } = process.env
  // `--loglevel=error`: the engine warnings are expected on an older machine Node, and would bury a real error.
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const run = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env,
    shell: process.platform === 'win32',
  })
  if (run.error) throw run.error
  return run.status ?? 1
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exit(ensureInstall(fileURLToPath(new URL('..', import.meta.url))))
