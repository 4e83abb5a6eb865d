/** Colours of our own words. Pure. */
import { styleText } from 'node:util'

/** Colours on, or text as it is. */
export interface Paint {
  readonly colors: boolean
  good(text: string): string
  bad(text: string): string
  warn(text: string): string
  dim(text: string): string
  bold(text: string): string
}

/** NO_COLOR, which only a person sets, comes before FORCE_COLOR, which task runners set. @see https://no-color.org */
export function paintFor(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): Paint {
  const forced = env['FORCE_COLOR']
  const colors =
    (env['NO_COLOR'] ?? '') !== ''
      ? false
      : forced === undefined || forced === ''
        ? isTerminal && env['TERM'] !== 'dumb'
        : forced !== '0' && forced !== 'false'
  const paint = (style: Parameters<typeof styleText>[0]) => (text: string) =>
    colors ? styleText(style, text, { validateStream: false }) : text
  return {
    colors,
    good: paint('green'),
    bad: paint('red'),
    warn: paint('yellow'),
    dim: paint('dim'),
    bold: paint('bold'),
  }
}
