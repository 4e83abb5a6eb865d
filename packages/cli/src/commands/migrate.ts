/** `loader-smoke migrate`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT } from '../exit-code.ts'
import { HARNESS, PEER } from '../migrate/names.ts'
import { planMigration } from '../migrate/plan.ts'
import type { Flags } from '../usage/parse.ts'
import { UsageError } from '../usage/usage-error.ts'
import { packageVersion } from '../version.ts'

/**
 * Rewrites imports and dependencies below the current folder and tells what it left. A second call finds nothing to change.
 * @throws UsageError for a name that no package can have, before anything is read.
 */
export async function migrate(flags: Flags): Promise<number> {
  const from = String(flags['from'] ?? PEER)
  if (!/^(?:@[\w.-]+\/)?[\w.-]+$/.test(from) || from === HARNESS)
    throw new UsageError(
      `--from must be the name of the package to migrate from, got ${JSON.stringify(from)}.\nNext: give the name that tests import today, such as ${PEER}.`,
    )
  const folder = process.cwd()
  const { changes, left, ownFolders } = planMigration(folder, from, `^${packageVersion()}`)
  for (const { path, text } of changes) {
    if (!flags['dry-run']) writeFileSync(join(folder, path), text)
    say(`${flags['dry-run'] ? 'would write' : 'wrote'} ${path}`)
  }
  for (const own of ownFolders) say(`left ${own || '.'}: it is ${from} itself.`)
  for (const { path, line, why } of left) say(`left ${path}:${line}: ${why}.`)
  if (changes.length === 0)
    say(`Nothing to change: no import or dependency of ${from} is left that ${HARNESS} can take.`)
  else if (flags['dry-run'])
    say(
      `Next: call migrate without --dry-run to write ${changes.length === 1 ? 'it' : `these ${changes.length} files`}.`,
    )
  else say('Next: install with your package manager, then run your tests.')
  return EXIT.pass
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
