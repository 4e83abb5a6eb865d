/** Text of any origin as HTML. Pure. */
import { readAnsi, type TextStyle, toPlain } from './ansi.ts'

/** Escaped for text and for quoted attributes; control characters are gone. */
export function toHtmlText(text: string): string {
  return escape(toPlain(text))
}

/** A captured stream: colours as spans, everything else as text. */
export function toHtmlStream(text: string): string {
  return readAnsi(text)
    .map((run) => {
      const { classes, styles } = toLook(run.style)
      const shown = escape(run.text)
      if (classes.length === 0 && styles.length === 0) return shown
      const look = [
        classes.length === 0 ? '' : ` class="${classes.join(' ')}"`,
        styles.length === 0 ? '' : ` style="${styles.join(';')}"`,
      ]
      return `<span${look.join('')}>${shown}</span>`
    })
    .join('')
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** Every part of it is ours: names of classes, numbers, and colours that were checked when they were read. */
function toLook(style: TextStyle): { readonly classes: string[]; readonly styles: string[] } {
  const classes: string[] = (['bold', 'dim', 'italic', 'underline'] as const).filter((name) => style[name])
  const styles: string[] = []
  const [front, back] = style.inverse ? [style.background, style.foreground] : [style.foreground, style.background]
  if (style.inverse && front === undefined) classes.push('ib')
  if (style.inverse && back === undefined) classes.push('iw')
  if (typeof front === 'number' && front < 16) classes.push(`f${front}`)
  // Lightened, since a stream is shown on a dark ground whatever the fixture thought it would be shown on.
  else if (front !== undefined) styles.push(`color:color-mix(in srgb,${toCss(front)} 45%,#fff)`)
  if (typeof back === 'number' && back < 16) classes.push(`b${back}`)
  else if (back !== undefined) styles.push(`background:${toCss(back)}`)
  return { classes, styles }
}

/** A colour of the 256-colour palette above the sixteen of the theme: a cube of 6 × 6 × 6, then 24 greys. */
function toCss(color: number | string): string {
  if (typeof color === 'string') return color
  if (color >= 232)
    return `rgb(${Array<number>(3)
      .fill(8 + (color - 232) * 10)
      .join(' ')})`
  const at = color - 16
  const channels = [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((step) =>
    step === 0 ? 0 : 55 + step * 40,
  )
  return `rgb(${channels.join(' ')})`
}
