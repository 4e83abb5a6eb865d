import { execFileSync } from 'node:child_process'
import { array, assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { toShell } from '../src/report/shell.ts'

const printer = 'process.stdout.write(JSON.stringify([process.argv.slice(1), process.env.LOADER_SMOKE_A]))'
const word = string({ unit: 'binary' }).filter((text) => !text.includes('\0') && text.isWellFormed())

test.skipIf(process.platform === 'win32')('sh gives back every word and value as it was', () => {
  assert(
    property(array(word, { maxLength: 5 }), word, (words, value) => {
      const line = toShell(
        { argv: [process.execPath, '-e', printer, '--', ...words], env: { LOADER_SMOKE_A: value } },
        'linux',
      )
      const said: unknown = JSON.parse(execFileSync('sh', ['-c', line], { encoding: 'utf8', env: {} }))
      expect(said).toEqual([words, value])
    }),
    { numRuns: 25 },
  )
})
