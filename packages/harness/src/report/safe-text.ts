/** Makes text of a fixture safe to print to a terminal or a CI log, beside our own words. Pure. */
import { readAnsi, type TextStyle } from './ansi.ts'

/** What the place it is printed to can show. */
export interface Surface {
  /** Colours are kept; else text alone. */
  readonly colors: boolean
  /** Put before every line, so that no line of the fixture's begins a line of the log: CI runners take commands there. */
  readonly gutter?: string
}

/**
 * `text` as it may be printed: no sequence but colours is left, each line ends with them reset, and no line begins or hides a command of a CI runner
 * (`::error::`, `##[group]`, `##vso[`, `##teamcity[`).
 */
export function toSafeText(text: string, { colors, gutter = '' }: Surface): string {
  const lines: string[] = ['']
  for (const run of readAnsi(text)) {
    const pieces = run.text.split('\n')
    pieces.forEach((piece, index) => {
      if (index > 0) lines.push('')
      if (piece === '') return
      const shown = withoutCommands(piece)
      lines[lines.length - 1] += colors ? `${toSgr(run.style)}${shown}${isPlain(run.style) ? '' : '\u001b[0m'}` : shown
    })
  }
  return lines.map((line) => `${gutter}${gutter === '' ? withoutLeadingCommand(line) : line}`).join('\n')
}

/** GitHub's older syntax is found anywhere in a line, and so are those of Azure Pipelines and TeamCity: a blank breaks them. */
function withoutCommands(line: string): string {
  return line.replace(/##(?=\[|vso\[|teamcity\[)/g, '# #')
}

/** GitHub looks for `::` at the beginning of a line, behind blanks. */
function withoutLeadingCommand(line: string): string {
  return line.replace(/^(\s*):(?=:)/, '$1: ')
}

function isPlain(style: TextStyle): boolean {
  return Object.keys(style).length === 0
}

function toSgr(style: TextStyle): string {
  const { foreground, background } = style
  const codes = [
    style.bold && 1,
    style.dim && 2,
    style.italic && 3,
    style.underline && 4,
    style.inverse && 7,
    foreground === undefined ? undefined : `38;${toColor(foreground)}`,
    background === undefined ? undefined : `48;${toColor(background)}`,
  ].filter((code) => code !== undefined)
  return codes.length === 0 ? '' : `\u001b[${codes.join(';')}m`
}

function toColor(color: number | string): string {
  if (typeof color === 'number') return `5;${color}`
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  return `2;${red};${green};${blue}`
}
