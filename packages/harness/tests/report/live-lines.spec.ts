/** Lines of a program that runs, as a terminal or log shows them. */
import { waitFor } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { liveLines } from '../../src/report/live-lines.ts'

const gutters = { stdout: 'app │ ', stderr: 'app ┃ ' }

function shown(colors = false) {
  const written: string[] = []
  return { written, lines: liveLines({ gutters, colors, write: (lines) => written.push(...lines) }) }
}

describe('live lines', () => {
  it('are shown whole, in the order of their stream, and the unfinished ones at the end', () => {
    const { written, lines } = shown()
    lines.text('stdout', 'a\nb')
    lines.text('stderr', 'x')
    lines.text('stdout', 'c\n\nd')
    expect(written).toEqual(['app │ a', 'app │ bc', 'app │ '])
    lines.end()
    expect(written.slice(3)).toEqual(['app │ d', 'app ┃ x'])
  })

  it('are shown unfinished after a second without change, and their end alone is no line', async () => {
    const { written, lines } = shown()
    lines.text('stdout', 'Password: ')
    expect(written).toEqual([])
    await waitFor('the question to be shown', () => written.length > 0)
    lines.text('stdout', '\nthanks\n')
    lines.end()
    expect(written).toEqual(['app │ Password: ', 'app │ thanks'])
  })

  it('show what a carriage return left of them, also while they are rewritten without a pause', async () => {
    const { written, lines } = shown()
    lines.text('stdout', '1%\r2%\r100%\r\ndone\r\n')
    expect(written).toEqual(['app │ 100%', 'app │ done'])
    let percent = 0
    await waitFor('the bar to be shown', () => {
      lines.text('stdout', `\r${percent++}%`)
      return written.length > 2
    })
    expect(written[2]).toMatch(/^app │ \d+%$/)
    lines.text('stdout', '\r100%\n')
    expect(written.slice(3)).toEqual(['app │ 100%'])
  })

  it('are cut where they are too long, and say so', () => {
    const { written, lines } = shown()
    for (let count = 0; count < 100; count++) lines.text('stdout', 'x'.repeat(1_000))
    lines.text('stdout', '\nnext\n')
    expect(written).toEqual([`app │ ${'x'.repeat(8_192)}… (91808 more characters)`, 'app │ next'])
  })

  it('obey nothing that a program writes, and keep its colours where there are any', () => {
    const said =
      '\u001b[31m::error::no\u001b[0m\u001b]0;title\u0007\n##[error]no ##vso[task.complete]\n\u001b[0Ksection_start:1:a\r\u001b[0Kx\u001b[2J\n'
    const plain = shown()
    plain.lines.text('stdout', said)
    expect(plain.written).toEqual(['app │ ::error::no', 'app │ # #[error]no # #vso[task.complete]', 'app │ x'])
    const colored = shown(true)
    colored.lines.text('stdout', said)
    expect(colored.written[0]).toBe('app │ \u001b[38;5;1m::error::no\u001b[0m')
  })

  it('are counted and not kept while the reader is behind', () => {
    const written: string[] = []
    const output = { writableLength: 2_000_000 }
    const lines = liveLines({
      gutters,
      colors: false,
      write: (more) => written.push(...more),
      output,
    })
    lines.text('stdout', 'a\nb\n')
    lines.text('stderr', 'c\n')
    output.writableLength = 0
    lines.text('stdout', 'd\n')
    output.writableLength = 2_000_000
    lines.text('stdout', 'e\n')
    lines.end()
    expect(written).toEqual([
      '[... 3 lines left out: the reader of this output is slower than the program ...]',
      'app │ d',
      '[... 1 line left out: the reader of this output is slower than the program ...]',
    ])
  })
})
