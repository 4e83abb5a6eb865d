import { type OptionRow, options, table } from '@loader-smoke/harness/options'
import { combineOptionsForExecutor } from 'nx/src/utils/params.js'
import { describe, expect, test } from 'vitest'
import { betweenMarkers } from '../gen/between-markers.ts'
import { toExecutorSchema, toProperties } from '../gen/executor-schema.ts'
import { toOptionTable } from '../gen/option-table.ts'
import { toOptionTypes } from '../gen/option-types.ts'
import { generate } from '../gen-schemas.ts'

test('every generated file says what the table of options says', () => {
  const files = generate()
  expect(files.map(({ path }) => path)).toContain('packages/nx/src/executors/smoke/schema.json')
  for (const { path, current, wanted } of files) expect(current, `${path}: run \`npm run gen\``).toBe(wanted)
})

const rows = table({
  label: { kind: 'text', required: true, says: 'A name.', declared: { filledIn: true } },
  place: { kind: 'path', says: 'A file.', declared: { aliases: ['at'], completion: 'file', completionGlob: '*.ts' } },
  waitMs: {
    kind: 'integer',
    unit: 'milliseconds',
    min: 1,
    max: 9,
    default: 3,
    says: 'How long.',
    declared: { priority: 'important' },
  },
  way: { kind: 'choice', values: ['a', 'b'], default: 'a', says: 'a | b.', declared: { default: 'b' } },
  secretly: { kind: 'text', says: 'For tests.', declared: { priority: 'internal' } },
  task: { kind: 'text', only: 'declared', says: 'A task.' },
  prepare: { kind: 'hook', only: 'code', says: 'A function.' },
}) satisfies Readonly<Record<string, OptionRow>>

test('a row becomes a property with its aliases, range, default and hints for editors; what only code can say is left out', () => {
  expect(toProperties(rows)).toEqual({
    label: { type: 'string', description: 'A name.' },
    place: {
      type: 'string',
      description: 'A file. Relative paths start at the workspace root; {projectRoot} and {workspaceRoot} may be used.',
      aliases: ['at'],
      'x-completion-type': 'file',
      'x-completion-glob': '*.ts',
    },
    waitMs: {
      type: 'integer',
      minimum: 1,
      maximum: 9,
      description: 'How long.',
      default: 3,
      'x-priority': 'important',
    },
    way: { type: 'string', enum: ['a', 'b'], description: 'a | b.', default: 'b' },
    secretly: { type: 'string', description: 'For tests.', 'x-priority': 'internal' },
    task: { type: 'string', description: 'A task.' },
  })
})

describe('the schema of the executor', () => {
  const schema = toExecutorSchema(options)
  const names = Object.keys(toProperties(options))
  const taken = (commandLine: Record<string, string>, target: object): unknown =>
    combineOptionsForExecutor(commandLine, '', { options: target }, schema as never, null, '')

  test.each(names)('lets Nx take any value of %s, whose check is the harness’ own', (name) => {
    for (const value of ['abc', '', 5, true, null, ['a', 5], { a: { b: 5 } }])
      expect(taken({}, { [name]: value })).toMatchObject({ [name]: value })
  })

  test('has Nx convert what the command line gives to numbers and lists only where these are wanted', () => {
    const given = { processTimeoutMs: '500', label: '5', task: 'a,b', binArgs: '--a 5,6', redact: 'a,b' }
    expect(taken(given, {})).toMatchObject({
      processTimeoutMs: 500,
      label: '5',
      task: 'a,b',
      binArgs: '--a 5,6',
      redact: ['a', 'b'],
    })
  })
})

test('a row becomes a property of the type, with its sentence, range and default', () => {
  const [, body = ''] = toOptionTypes(rows).split('LoaderSmokeOptions {\n')
  expect(body).toBe(
    [
      '  /** A name. */',
      '  readonly label: string',
      '  /** A file. Absolute. */',
      '  readonly place?: string | undefined',
      '  /** How long. In milliseconds, 1 to 9. Default: 3. */',
      '  readonly waitMs?: number | undefined',
      '  /** a | b. Default: a. */',
      "  readonly way?: 'a' | 'b' | undefined",
      '  /** For tests. */',
      '  readonly secretly?: string | undefined',
      '  /** A function. */',
      '  readonly prepare?: ((cwd: string) => Promise<void> | void) | undefined',
      '}\n',
    ].join('\n'),
  )
})

const head = '| Option | Kind | Default | What it sets |\n| --- | --- | --- | --- |\n'

test.each([
  [
    'code',
    '| `label` | text | required | A name. |\n' +
      '| `place` | path |  | A file. |\n' +
      '| `waitMs` | milliseconds, 1 to 9 | `3` | How long. |\n' +
      '| `way` | `a`, `b` | `a` | a \\| b. |\n' +
      '| `secretly` | text |  | For tests. |\n' +
      '| `prepare` | function of the folder |  | A function. |',
  ],
  [
    'declared',
    '| `label` | text | `<project>:<target>` | A name. |\n' +
      '| `place`, `at` | path |  | A file. |\n' +
      '| `waitMs` | milliseconds, 1 to 9 | `3` | How long. |\n' +
      '| `way` | `a`, `b` | `b` | a \\| b. |\n' +
      '| `task` | text |  | A task. |',
  ],
  [
    'both',
    '| `label` | text | required; in a target `<project>:<target>` | A name. |\n' +
      '| `place`, `at` | path |  | A file. |\n' +
      '| `waitMs` | milliseconds, 1 to 9 | `3` | How long. |\n' +
      '| `way` | `a`, `b` | `a`; in a target `b` | a \\| b. |\n' +
      '| `task` (in a target) | text |  | A task. |\n' +
      '| `prepare` (in code) | function of the folder |  | A function. |',
  ],
] as const)('the table for a reader of %s has the rows and defaults that concern them', (reader, body) => {
  expect(toOptionTable(rows, reader)).toBe(head + body)
})

test('generated text replaces what stands between its markers and nothing else', () => {
  const file = 'before\n\n<!-- options -->\n\nold\n\n<!-- /options -->\n\nafter\n'
  expect(betweenMarkers(file, 'options', 'new')).toBe(
    'before\n\n<!-- options -->\n\nnew\n\n<!-- /options -->\n\nafter\n',
  )
})

test('a file without the markers is refused', () => {
  expect(() => betweenMarkers('text', 'options', 'new')).toThrow(
    'the file has no <!-- options --> … <!-- /options -->.\nNext: put both markers where the table belongs.',
  )
})
