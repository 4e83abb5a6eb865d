/**
 * `npm run bench`: measures what every file of `bench/` compares, and prints a table; with `-- --json` one object per line, as each is measured.
 * `npm run bench -- <name>` runs `bench/<name>.ts` alone. Such a file exports `rows()`, an async generator of `Row`.
 */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs, styleText } from 'node:util'
import type { Row } from './measure/paired.ts'

const folder = fileURLToPath(new URL('bench/', import.meta.url))
const known = readdirSync(folder).flatMap((name) => (name.endsWith('.ts') ? name.slice(0, -'.ts'.length) : []))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
})
const unknown = positionals.find((name) => !known.includes(name))
if (unknown !== undefined) {
  console.error(
    `bench must be one of ${known.join(', ')}, got ${JSON.stringify(unknown)}.\nNext: name one of these, or none for all.`,
  )
  process.exit(2)
}

const columns = [70, 13, 13, 18, 8, 6]
const line = (cells: readonly (string | number)[]) =>
  cells
    .map((cell, at) => (at === 0 ? String(cell).padEnd(columns[at] ?? 0) : String(cell).padStart(columns[at] ?? 0)))
    .join('')

if (!values.json) console.log(styleText('bold', line(['bench', 'ours', 'other', 'difference', 'ratio', 'runs'])))
for (const name of positionals.length > 0 ? positionals : known) {
  const { rows } = (await import(`${folder}${name}.ts`)) as { rows: () => AsyncIterable<Row> }
  for await (const row of rows()) {
    const { bench, unit, ours, other, ratio, runs } = row
    if (values.json) console.log(JSON.stringify({ bench, unit, ours, other, ratio, runs }))
    else console.log(line([`${bench} (${unit})`, ours, other, (ours - other).toFixed(2), ratio, runs]))
  }
}
