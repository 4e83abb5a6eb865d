import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { toPlain } from '../../src/report/ansi.ts'
import { redactor } from '../../src/report/redact.ts'

const KEY = 'sk-0123456789'
const redact = redactor([{ SMOKE_API_KEY: KEY }], [{ pattern: 'pin-\\d+' }])

it.each([
  ['in one piece', `a ${KEY} b`, 'a [redacted] b'],
  ['with a colour in it', 'a sk-01\u001b[31m23456789\u001b[0m b', 'a [redacted]\u001b[0m b'],
  ['with a colour between any two letters', `a ${[...KEY].join('\u001b[1m')} b`, 'a [redacted] b'],
  ['with a link in it', 'a sk-0\u001b]8;;http://x\u0007123456789 b', 'a [redacted] b'],
  ['with a mark of byte order in it', 'a sk-0\ufeff123456789 b', 'a [redacted] b'],
  ['twice, once cut', `${KEY} sk-\u001b[m0123456789 ${KEY}`, '[redacted] [redacted] [redacted]'],
  ['that a pattern finds, cut', 'a pin-12\u001b[31m34 b', 'a [redacted] b'],
  ['in no piece', 'a sk-\u001b[31m0123 b', 'a sk-\u001b[31m0123 b'],
])('masks a secret %s', (_, text, expected) => {
  expect(redact(text)).toBe(expected)
})

it('leaves no secret for who takes the control sequences out, wherever they are', () => {
  const sequence = fc.constantFrom('', '\u001b[31m', '\u001b[0m', '\u001b]0;t\u0007', '\ufeff', '\u001bM')
  const cut = fc.array(sequence, { minLength: KEY.length, maxLength: KEY.length })
  fc.assert(
    fc.property(fc.string(), cut, fc.string(), (before, sequences, after) => {
      const text = `${before}${[...KEY].map((letter, at) => letter + (sequences[at] ?? '')).join('')}${after}`
      expect(toPlain(redact(text))).not.toContain(KEY)
    }),
  )
})

it('takes time in proportion to the text', () => {
  const colored = 'a line with \u001b[32mcolour\u001b[0m\n'.repeat(200_000)
  expect(redact(colored)).toBe(colored)
})
