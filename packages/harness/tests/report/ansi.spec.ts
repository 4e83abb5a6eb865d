import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAnsi, toPlain, toVisible } from '../../src/report/ansi.ts'
import { toSafeText } from '../../src/report/safe-text.ts'

const ESC = '\u001b'

describe('colours', () => {
  it.each([
    ['plain', [{ text: 'plain', style: {} }]],
    [
      `${ESC}[31mred${ESC}[0m then`,
      [
        { text: 'red', style: { foreground: 1 } },
        { text: ' then', style: {} },
      ],
    ],
    [`${ESC}[1;92;44mx`, [{ text: 'x', style: { bold: true, foreground: 10, background: 4 } }]],
    [
      `${ESC}[38;5;208mx${ESC}[39my`,
      [
        { text: 'x', style: { foreground: 208 } },
        { text: 'y', style: {} },
      ],
    ],
    [`${ESC}[38;2;1;20;255mx`, [{ text: 'x', style: { foreground: '#0114ff' } }]],
    [`${ESC}[48;2;1;20;999mx`, [{ text: 'x', style: {} }]],
    [
      `${ESC}[mx${ESC}[3;4;7my${ESC}[23;24;27mz`,
      [
        { text: 'x', style: {} },
        { text: 'y', style: { italic: true, underline: true, inverse: true } },
        { text: 'z', style: {} },
      ],
    ],
    [`${ESC}[8mhidden${ESC}[5mblinking`, [{ text: 'hiddenblinking', style: {} }]],
  ])('of %j are understood', (text, runs) => {
    expect(readAnsi(text)).toEqual(runs)
  })
})

describe('everything else', () => {
  it.each([
    ['cursor moves and erasing', `a${ESC}[2J${ESC}[1;1Hb${ESC}[?25lc`, 'abc'],
    ['the title', `a${ESC}]0;owned\u0007b`, 'ab'],
    ['links keep their text only', `${ESC}]8;;https://evil.example${ESC}\\click${ESC}]8;;${ESC}\\`, 'click'],
    ['device control and private strings', `a${ESC}Pq#0${ESC}\\b${ESC}_x${ESC}\\c`, 'abc'],
    ['a reset of the terminal', `a${ESC}cb${ESC}(0c`, 'abc'],
    ['a string without end hides nothing', `a${ESC}]0;still here\nb`, 'a␛]0;still here\nb'],
    ['carriage returns overwrite nothing', `pass\rfail\r\nnext`, 'pass␍fail\nnext'],
    ['backspace, bell, NUL, DEL, C1', 'a\bb\u0007c\0d\u007fe\u009bf', 'a␈b␇c␀d␡e\ufffdf'],
    ['marks that turn the direction of text', 'a\u202eb\u2066c', 'a\ufffdb\ufffdc'],
    ['half a character', 'a\ud800b', 'a\ufffdb'],
    ['newline and tab stay', 'a\n\tb', 'a\n\tb'],
  ])('%s', (_, text, plain) => {
    expect(toPlain(text)).toBe(plain)
  })

  it('leaves no control character of any text', () => {
    const nasty = fc.array(
      fc.oneof(
        fc.constantFrom(ESC, '[', ']', '8;;', '0m', '31', 'm', '\u0007', '\\', '\r', '\n', 'P', '_', '::', '##['),
        fc.string({ unit: 'binary' }),
      ),
    )
    fc.assert(
      fc.property(nasty, (parts) => {
        // oxlint-disable-next-line no-control-regex -- that none is left is the point
        expect(toPlain(parts.join(''))).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
      }),
    )
  })

  it.each([
    [`a${ESC}[31mred${ESC}[0m${ESC}[2J`, 'a␛[31mred␛[0m␛[2J'],
    [`${ESC}]0;owned\u0007b${ESC}c`, '␛]0;owned␇b␛c'],
    ['a\rb\r\nc\0\u202ed\u009b\ud800', 'a␍b\nc␀\ufffdd\ufffd\ufffd'],
    ['plain\n\ttext', 'plain\n\ttext'],
  ])('can be made to be seen instead: %j', (text, visible) => {
    expect(toVisible(text)).toBe(visible)
  })

  it('takes a line of 50 MB in linear time', () => {
    const line = `${ESC}[31m`.repeat(100_000) + 'x'.repeat(50_000_000) + `${ESC}]`.repeat(100_000)
    const started = performance.now()
    expect(toPlain(line).length).toBeGreaterThan(50_000_000)
    expect(performance.now() - started).toBeLessThan(20_000)
  })
})

describe('text for a terminal or a log', () => {
  it('keeps colours where they can be shown, reset at the end of every line', () => {
    const text = `${ESC}[1;31mred\nstill${ESC}[0m${ESC}[2Jplain`
    expect(toSafeText(text, { colors: true, gutter: '│ ' })).toBe(
      `│ ${ESC}[1;38;5;1mred${ESC}[0m\n│ ${ESC}[1;38;5;1mstill${ESC}[0mplain`,
    )
    expect(toSafeText(text, { colors: false })).toBe('red\nstillplain')
  })

  it.each([
    ['::error::x', ': :error::x'],
    ['  ::set-output name=a::b', '  : :set-output name=a::b'],
    [`${ESC}[31m::add-mask::x`, ': :add-mask::x'],
    ['a\r::stop-commands::x', 'a␍::stop-commands::x'],
    ['text ##[error]x', 'text # #[error]x'],
    ['##vso[task.setvariable]x', '# #vso[task.setvariable]x'],
    ["##teamcity[testFailed name='x']", "# #teamcity[testFailed name='x']"],
  ])('takes the power out of %j', (text, safe) => {
    expect(toSafeText(text, { colors: false })).toBe(safe)
  })
})
