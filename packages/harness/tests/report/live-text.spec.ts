/** What is told of a stream while it runs: no part of a secret, however it comes, and every gap. */
import { describe, expect, it } from 'vitest'
import { toPlain } from '../../src/report/ansi.ts'
import { liveText } from '../../src/report/live-text.ts'
import { redactor, secretsOf } from '../../src/report/redact.ts'

const KEY = 'sk-1234567890'
const PEM = '-----BEGIN KEY-----\nabcdefgh\nij\n-----END KEY-----'

/** Everything that is told of the pieces, each as it comes, and then the rest. */
function told(pieces: readonly (string | number)[], more: Parameters<typeof secretsOf>[1] = [], environment = {}) {
  const live = liveText(secretsOf([environment], more))
  const all = pieces.map((piece) => (typeof piece === 'string' ? live.text(piece) : (live.skipped(piece), '')))
  return [...all, live.end()]
}

describe('secrets in a live text', () => {
  it('are masked although they come in two pieces, and nothing else is held back', () => {
    expect(told(['use sk-12', '34567890 now', '\n'], [], { MY_API_KEY: KEY })).toEqual([
      'use ',
      '[redacted] now',
      '\n',
      '',
    ])
  })

  it('are told when they turn out to be none, and when the program ends within one', () => {
    expect(told(['use sk-12', 'x', 'sk-1'], [KEY])).toEqual(['use ', 'sk-12x', '', 'sk-1'])
  })

  it.each([
    ['one', [KEY], `a ${KEY} b`],
    ['one of several lines', [PEM], `key:\n${PEM}\nend`],
    ['one that begins within another', ['abcdef', 'cdefghij'], 'abcdefghij abcdef cdefghij abcdex'],
    ['one inside of another', ['secret-and-longer', 'secret'], 'secret-and-long secret secret-and-longer'],
    ['one that repeats itself', ['xxxxxxxx'], `${'x'.repeat(24)} xxx`],
    ['one with colours in it', [KEY], `a \u001b[1msk-123\u001b[0;31m4567\u001b]0;t\u0007890\u001b[0m b`],
    [
      'one of several lines with colours',
      [PEM],
      `\u001b[2m${PEM.replaceAll('\n', '\u001b[0m\r\n\u001b[2m')}\u001b[0m\n`,
    ],
    ['a pattern with colours in it', [/tok_[a-z]+/], 'a to\u001b[1mk_ab\u001b[0mc b\n'],
    ['a pattern', [/tok_[a-z]+/], 'a tok_abc b\ntok_d'],
    ['a pattern that excludes line ends', [/tok_[^\s"]+/, /id:[^\n,]+/], 'tok_"x tok_abc\nid:12,\n'],
  ])('are masked as in the verdict, wherever the text is cut: %s', (_, more, text) => {
    for (let at = 0; at <= text.length; at++) {
      const pieces = [text.slice(0, at), text.slice(at)]
      expect(toPlain(told(pieces, more).join(''))).toBe(toPlain(redactor([], more)(text)))
    }
    expect(toPlain(told([...text], more).join(''))).toBe(toPlain(redactor([], more)(text)))
  })

  it('leave out what control sequences without end make of the beginning of one', () => {
    expect(told(['sk-', '\u001b[0m'.repeat(20_000), 'x\ny\n'], [KEY])).toEqual([
      '',
      '',
      '[... 80005 bytes left out of the live output ...]\ny\n',
      '',
    ])
  })

  it('hold back only so much of a text that repeats itself', () => {
    const [first = ''] = told(['x'.repeat(10_000)], ['xxxxxxxx'])
    expect(first.split('[redacted]').length).toBeGreaterThan(1_240)
  })

  it.each([
    [/BEGIN[\s\S]*END/],
    [/a.b/s],
    [/a[^b]c/],
    [/key:\W+x/],
    [/[^\\s]b/],
    [/\[^\s]/],
    [/a\nb/],
    [/[\t-~]b/],
    [/[\b-~]b/],
    // A line end as an octal number, which TypeScript takes in no literal.
    [new RegExp(String.raw`a\12b`)],
    [new RegExp(String.raw`a\012b`)],
  ])('keep a text from being told whose end could be in another line: %s', (pattern) => {
    expect(told(['BEGIN\n', 'END\n'], [pattern])).toEqual([
      '[... not shown while it runs: a pattern of redact can match over the end of a line, and what it matches is known at the end only ...]\n',
      '',
      '',
    ])
  })

  it('keep a line from being told that is too long to look for patterns in', () => {
    expect(told(['ok\ntok_', 'a'.repeat(70_000), 'a\nmore\n'], [/tok_[a-z]+/])).toEqual([
      'ok\n',
      '',
      '[... 70006 bytes left out of the live output ...]\nmore\n',
      '',
    ])
  })
})

describe('a gap in a live text', () => {
  it('that begins behind a match of a pattern does not cut it', () => {
    const held = `sk-${'\u001b[0m'.repeat(20_000)}`
    expect(told(['tok_ab', `c\n${held}`, 'x\ny\n'], [KEY, /tok_[a-z]+/])).toEqual([
      '',
      '[redacted]\n',
      '[... 80005 bytes left out of the live output ...]\ny\n',
      '',
    ])
  })

  it('is said in one line, and what follows begins with a line', () => {
    expect(told(['a\nb', 1_000, 'cd', 500, 'ef\ngh\n'])).toEqual([
      'a\nb',
      '',
      '',
      '',
      '\n[... 1505 bytes left out of the live output ...]\ngh\n',
      '',
    ])
  })

  it('is said at the end when no line follows', () => {
    expect(told([10, 'é'])).toEqual(['', '', '[... 12 bytes left out of the live output ...]\n'])
  })

  it('takes with it what may be the beginning of a secret, and the rest of it', () => {
    expect(told(['a sk-1', 7, '90 b\nc\n'], [KEY])).toEqual([
      'a ',
      '',
      '\n[... 16 bytes left out of the live output ...]\nc\n',
      '',
    ])
  })

  it('is the last thing that is told where it may have ended within a secret of several lines', () => {
    expect(told(['a\n', 20, 'gh\nij\n-----END KEY-----\nb\n'], [PEM])).toEqual([
      'a\n',
      '',
      '',
      '[... 46 bytes left out of the live output ...]\n',
    ])
  })
})
