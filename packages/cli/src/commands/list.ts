/** `loader-smoke list`. */
import { relative } from 'node:path'
import { EXIT } from '../exit-code.ts'
import { oneLine } from '../run/lines.ts'
import { planSmokes } from '../run/plan.ts'
import { selectSmokes } from '../run/select.ts'
import type { Flags } from '../usage/parse.ts'

/** Prints the smokes that `run` with the same words would run. */
export async function list(labels: readonly string[], flags: Flags): Promise<number> {
  const folder = process.cwd()
  const planned = await planSmokes(await selectSmokes(folder, labels, flags), flags, folder)
  const rows = planned.map(({ label, mode, file, options }) => ({
    label,
    mode,
    file: relative(folder, file),
    bin: relative(folder, options.binScript),
  }))
  if (flags['json']) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  else for (const { label, mode, file } of rows) process.stdout.write(`${oneLine(label)}  ${mode}  ${oneLine(file)}\n`)
  return EXIT.pass
}
