/** Runs whose command line changes what is read: their result must not be replayed, for the key was made from the target's own options. Pure but for the hook. */
import { randomUUID } from 'node:crypto'
import type { PreTasksExecution } from '@nx/devkit'
import { aliasesOf, pathNames } from '../declared/names.ts'
import { OVERRIDES_ENV } from './inputs.ts'

const CHANGES_READS = new Set(
  [...pathNames, 'mode', 'model', 'binArgs', 'sourceImport', 'passEnv', 'envMode']
    .flatMap((name) => [name, ...aliasesOf(name)])
    .map(folded),
)

/** True when an argument of `nx` gives an option that decides which files or environment a smoke reads: `--mode=lib` runs built files without their build. */
export function changesReads(argv: readonly string[]): boolean {
  return argv.some((argument) => {
    const [, name] = /^--?([^=.]+)/.exec(argument) ?? []
    return name !== undefined && CHANGES_READS.has(folded(name))
  })
}

/** True when an argument of `nx` asks to see what runs: a replay has nothing to be watched. */
export function asksToSee(argv: readonly string[]): boolean {
  return argv.some((argument) => /^--stream(?:=true)?$/.test(argument))
}

/** Gives such a run a key of its own, through an environment name that every smoke has among its inputs. */
export const preTasksExecution: PreTasksExecution = (_, { argv }) => {
  if (changesReads(argv) || asksToSee(argv)) process.env[OVERRIDES_ENV] = randomUUID()
}

/** `--bin-script`, `--binScript` and `--binscript` are one option for Nx. */
function folded(name: string): string {
  return name.replaceAll('-', '').toLowerCase()
}
