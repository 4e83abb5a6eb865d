/**
 * `npm run gen`: runs every generator of this folder (`gen-*.ts`), one after another, with the arguments it was given.
 * With `--check` each says what differs and writes nothing; one that differs makes the exit code 1.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const generators = readdirSync(folder).filter((name) => /^gen-.*\.ts$/.test(name))

for (const name of generators.toSorted()) {
  const done = spawnSync(process.execPath, [folder + name, ...process.argv.slice(2)], { stdio: 'inherit' })
  if (done.error) throw done.error
  if (done.status !== 0) process.exitCode = 1
}
