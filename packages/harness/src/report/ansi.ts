/**
 * Reads text that a fixture wrote, of which nothing is trusted: colours are understood, every other control sequence loses its power.
 * Linear in the length of the text. Pure.
 * @see https://ecma-international.org/publications-and-standards/standards/ecma-48/ (control sequences, SGR)
 */

/** How a run of text looks. Colours are an index of the 256-colour palette, or `#rrggbb`. */
export interface TextStyle {
  readonly foreground?: number | string
  readonly background?: number | string
  readonly bold?: true
  readonly dim?: true
  readonly italic?: true
  readonly underline?: true
  readonly inverse?: true
}

/** Text without control characters but newline and tab, and how it looks. */
export interface StyledText {
  readonly text: string
  readonly style: TextStyle
}

/** A control or direction character but newline and tab. */
const CHARACTER = String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]`

const LONE = new RegExp(String.raw`\r\n|${CHARACTER}`, 'g')

/**
 * A CSI sequence; an OSC, DCS, SOS, PM or APC string with its terminator; any other two-character escape; a control or direction character.
 * A string without terminator would hide all that follows in a terminal: its escape is shown as a sign instead, and the rest as text.
 */
const CONTROL = new RegExp(
  String.raw`\u001b\[([0-9:;<=>?]{0,256})[ -/]{0,16}([@-~])|\u001b[\]PX^_][^\u0007\u001b\n]{0,4096}(?:\u0007|\u001b\\)|\u001b[ -/]{1,16}[0-~]|\u001b[0-OQ-WYZ\\\u0060-~]|${LONE.source}`,
  'g',
)

/** The runs of `text`, in order; neighbours differ in style. */
export function readAnsi(text: string): StyledText[] {
  const runs: StyledText[] = []
  let style: TextStyle = {}
  let open = ''
  const close = () => {
    if (open !== '') runs.push({ text: open, style })
    open = ''
  }
  let at = 0
  const whole = text.toWellFormed()
  for (const match of whole.matchAll(CONTROL)) {
    open += whole.slice(at, match.index)
    at = match.index + match[0].length
    if (match[2] === 'm' && match[1] !== undefined) {
      const next = withCodes(style, match[1])
      if (next !== style) close()
      style = next
    } else open += shown(match[0])
  }
  open += whole.slice(at)
  close()
  return runs
}

/** `text` without any control sequence: what is left is letters, newlines, tabs, and signs for control characters that stood alone. */
export function toPlain(text: string): string {
  return readAnsi(text)
    .map((run) => run.text)
    .join('')
}

/** A piece of what `toPlain` leaves of a text, and where in that text it begins. */
export interface PlainPiece {
  readonly at: number
  readonly text: string
}

/** What `toPlain` leaves of `text`, in order: neighbours had a control sequence between them, or a sign stands for a character. */
export function plainPieces(text: string): PlainPiece[] {
  const pieces: PlainPiece[] = []
  let at = 0
  const whole = text.toWellFormed()
  for (const match of whole.matchAll(CONTROL)) {
    if (match.index > at) pieces.push({ at, text: whole.slice(at, match.index) })
    const sign = shown(match[0])
    if (sign !== '') pieces.push({ at: match.index, text: sign })
    at = match.index + match[0].length
  }
  if (at < whole.length) pieces.push({ at, text: whole.slice(at) })
  return pieces
}

/** `text` with every control sequence to be seen and none with power: `\u001b[31m` is `␛[31m`. Newlines and tabs stay. */
export function toVisible(text: string): string {
  return text.toWellFormed().replace(LONE, shown)
}

/** The sign of a control character that stands alone (`␀`, `␍`, …); sequences that are whole leave nothing, and neither do marks of byte order. */
function shown(control: string): string {
  if (control === '\r\n') return '\n'
  if (control.length > 1 || control === '\ufeff') return ''
  const code = control.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}

/** `style` after the codes of one SGR sequence; the same object when they change nothing that is kept. Blinking and hidden text are not. */
function withCodes(style: TextStyle, parameters: string): TextStyle {
  const codes = parameters === '' ? [0] : parameters.split(/[;:]/).map(Number)
  let next: Record<string, unknown> = { ...style }
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0
    if (code === 0) next = {}
    else if (code === 38 || code === 48) {
      const { color, used } = extendedColor(codes.slice(at + 1, at + 5))
      at += used
      if (color !== undefined) next[code === 38 ? 'foreground' : 'background'] = color
    } else apply(next, code)
  }
  return JSON.stringify(next) === JSON.stringify(style) ? style : next
}

const ON: Readonly<Record<number, string>> = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'underline', 7: 'inverse' }
const OFF: Readonly<Record<number, readonly string[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  39: ['foreground'],
  49: ['background'],
}

function apply(style: Record<string, unknown>, code: number): void {
  const on = ON[code]
  if (on !== undefined) style[on] = true
  for (const name of OFF[code] ?? []) delete style[name]
  if (code >= 30 && code <= 37) style['foreground'] = code - 30
  if (code >= 90 && code <= 97) style['foreground'] = code - 90 + 8
  if (code >= 40 && code <= 47) style['background'] = code - 40
  if (code >= 100 && code <= 107) style['background'] = code - 100 + 8
}

function extendedColor([kind, a = -1, b = -1, c = -1]: readonly number[]): {
  readonly color: number | string | undefined
  readonly used: number
} {
  if (kind === 5) return { color: isByte(a) ? a : undefined, used: 2 }
  if (kind !== 2) return { color: undefined, used: 0 }
  const valid = [a, b, c].every(isByte)
  return { color: valid ? `#${[a, b, c].map((v) => v.toString(16).padStart(2, '0')).join('')}` : undefined, used: 4 }
}

function isByte(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 255
}
