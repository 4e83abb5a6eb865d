import { expect, it } from 'vitest'
import { findLocation } from '../../src/report/location.ts'

it.each([
  ['a frame of a stack', 'Error: x\n    at boot (/repo/app/src/bin.ts:12:7)', '/repo/app/src/bin.ts:12:7'],
  ['a frame with a file URL', 'at file:///repo/app%20a/src/bin.ts:12:7', '/repo/app a/src/bin.ts:12:7'],
  ['a frame with a query', 'at file:///repo/app/src/bin.ts?version=1:2:3', '/repo/app/src/bin.ts:2:3'],
  ['the heading of a syntax error', 'file:///repo/app/src/bin.ts:5\nconst =', '/repo/app/src/bin.ts:5:-'],
  ['a place of the compiler', '/repo/app/src/bin.ts(4,2): error', '/repo/app/src/bin.ts:4:2'],
  ['a coloured one', '\u001b[36m/repo/app/src/\u001b[1mbin.ts\u001b[0m:9:1', '/repo/app/src/bin.ts:9:1'],
  [
    'the first own file, not an installed one',
    'at /repo/node_modules/x/y.js:1:1\nat node:internal/a:1:1\nat /repo/a.ts:2:2',
    '/repo/a.ts:2:2',
  ],
  ['one with a line before one without', 'config /repo/app/cordis.yml is wrong\nat /repo/a.ts:2:2', '/repo/a.ts:2:2'],
  [
    'a file without a line when there is no better',
    'config "/repo/app/cordis.yml" is wrong',
    '/repo/app/cordis.yml:-:-',
  ],
  ['a file on Windows', 'at C:\\repo\\app\\bin.ts:3:4', 'C:\\repo\\app\\bin.ts:3:4', 'C:\\repo'],
  ['nothing outside', 'at /elsewhere/bin.ts:1:1 and https://repo/app/src/bin.ts:1:1 and ../repo/x.ts:1:1', null],
  ['nothing in a folder whose name only begins alike', 'at /repository/bin.ts:1:1', null],
])('finds %s', (_, text, expected, root = '/repo') => {
  const found = findLocation([text], root)
  expect(found && `${found.file}:${found.line ?? '-'}:${found.column ?? '-'}`).toBe(expected)
})

it('looks at texts in order and takes long ones in little time', () => {
  const started = performance.now()
  const long = '/repo/'.repeat(1_000_000)
  expect(findLocation([long, 'at /repo/a.ts:1:1'], '/repo')?.line).toBe(1)
  expect(performance.now() - started).toBeLessThan(20_000)
})
