/**
 * `npm run gen`: writes the schemas that editors and readers of reports use: `smoke-config.schema.json` and `report.schema.json` of the harness.
 * `npm run gen -- --check` writes nothing and exits 1 when a file differs.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fixtureRows } from '@loader-smoke/harness/config'
import { format } from './gen-schemas.ts'
import { toReportSchema } from './gen/report-schema.ts'
import { toSmokeConfigSchema } from './gen/smoke-config-schema.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Path below the repository → content that it must have. */
export function schemas(): Readonly<Record<string, string>> {
  const wanted = {
    'packages/harness/smoke-config.schema.json': toSmokeConfigSchema(fixtureRows),
    'packages/harness/report.schema.json': toReportSchema(),
  }
  return Object.fromEntries(
    Object.entries(wanted).map(([path, schema]) => [path, format(path, JSON.stringify(schema))]),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const check = process.argv.includes('--check')
  for (const [path, wanted] of Object.entries(schemas())) {
    const file = join(root, path)
    if (existsSync(file) && readFileSync(file, 'utf8') === wanted) continue
    if (!check) writeFileSync(file, wanted)
    console.log(
      check ? `${path} differs from its source. Next: run \`npm run gen\` and commit what it writes.` : `wrote ${path}`,
    )
    if (check) process.exitCode = 1
  }
}
