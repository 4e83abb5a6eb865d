import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { schemas } from '../gen-smoke-schemas.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

it.each(Object.entries(schemas()))('%s is what its source says', (path, wanted) => {
  // `npm run gen` writes it.
  expect(readFileSync(join(root, path), 'utf8')).toBe(wanted)
})
