import { describe, expect, it } from 'vitest'
import { parseCall } from '../src/usage/parse.ts'
import { splitWords } from '../src/usage/split-words.ts'

describe('a call', () => {
  it.each([
    [[], { kind: 'help', command: null }],
    [['--help'], { kind: 'help', command: null }],
    [['help', 'run'], { kind: 'help', command: 'run' }],
    [['run', '--jobs', '2', '-h'], { kind: 'help', command: 'run' }],
    [['--version'], { kind: 'version' }],
    [['run'], { kind: 'run', command: 'run', operands: [], flags: {} }],
    [
      [
        'run',
        'a',
        '--mode=lib',
        '-j',
        '3',
        'b',
        '--bail',
        '--reporter',
        'html,junit',
        '--reporter=github',
        '--config',
        'x,y.json',
      ],
      {
        kind: 'run',
        command: 'run',
        operands: ['a', 'b'],
        flags: { mode: 'lib', jobs: 3, bail: true, reporter: ['html', 'junit', 'github'], config: ['x,y.json'] },
      },
    ],
    [['run', '--keep-world', 'a'], { kind: 'run', command: 'run', operands: ['a'], flags: { 'keep-world': 'always' } }],
    [
      ['run', '--keep-world=on-failure'],
      { kind: 'run', command: 'run', operands: [], flags: { 'keep-world': 'on-failure' } },
    ],
    [['run', '--', '--help'], { kind: 'run', command: 'run', operands: ['--help'], flags: {} }],
  ])('%j is understood', async (words, expected) => {
    expect(await parseCall(words)).toEqual(expected)
  })

  it.each([
    [
      ['rnu'],
      '"rnu" is no command. Did you mean run?\nNext: see `loader-smoke --help`; commands are run, list, init, doctor, migrate, completion.',
    ],
    [
      ['--jobs', '2'],
      '"--jobs" is no command.\nNext: begin with a command, for instance `loader-smoke run`; commands are run, list, init, doctor, migrate, completion.',
    ],
    [
      ['run', '--jbos', '2'],
      '--jbos is no flag of run. Did you mean --jobs?\nNext: see `loader-smoke run --help`; arguments for the bin go into --args.',
    ],
    [
      ['run', '-x'],
      '-x is no flag of run.\nNext: see `loader-smoke run --help`; arguments for the bin go into --args.',
    ],
    [
      ['run', '--constructor'],
      '--constructor is no flag of run.\nNext: see `loader-smoke run --help`; arguments for the bin go into --args.',
    ],
    [['run', '--mode', 'lbi'], '--mode must be src or lib, got "lbi". Did you mean lib?\nNext: give one of these.'],
    [
      ['run', '--mode'],
      '--mode needs a value: --mode <mode>.\nNext: Run the TypeScript source (src) or the built output (lib); else the file, else DSH_EXAMPLE_MODE decides.',
    ],
    [['run', '--jobs', '0'], '--jobs must be an integer from 1 to 1024, got "0".\nNext: give such a number.'],
    [
      ['run', '--timeout', '1e3'],
      '--timeout must be an integer from 1 to 2147483647, got "1e3".\nNext: give such a number.',
    ],
    [['run', '--bail=yes'], '--bail takes no value, got "yes".\nNext: give it alone.'],
    [['run', '--jobs', '1', '--jobs', '2'], '--jobs is given twice.\nNext: take one of them out.'],
    [
      ['run', '--reporter', 'html,junti'],
      '--reporter must be html or junit or github, got "junti". Did you mean junit?\nNext: give one of these.',
    ],
    [['init', 'x'], 'init takes flags only, got "x".\nNext: see `loader-smoke init --help`.'],
  ])('%j is refused', async (words, message) => {
    await expect(parseCall(words)).rejects.toThrow(expect.objectContaining({ name: 'UsageError', message }))
  })
})

it.each([
  ['', []],
  ['  a  b ', ['a', 'b']],
  [`--say "two words" 'it''s' a\\ b ""`, ['--say', 'two words', 'its', 'a b', '']],
  [`'a\\b' "c\\"d"`, ['a\\b', 'c"d']],
])('splits %j as a shell would', (text, words) => {
  expect(splitWords(text, '--args')).toEqual(words)
})

it.each([`a 'b`, 'a "b', `"a'`, `'a\\'b'`])('refuses the open quote of %j', (text) => {
  expect(() => splitWords(text, '--args')).toThrow(
    expect.objectContaining({
      name: 'UsageError',
      message: expect.stringContaining(`--args must close each quote that it opens, got ${text}.\nNext: add the `),
    }),
  )
})
