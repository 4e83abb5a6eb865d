/** Splits a text as a shell would. Pure. */
import { UsageError } from './usage-error.ts'

/**
 * The words of `text`: quotes group, a backslash keeps the next character (inside single quotes nothing is special).
 * @throws UsageError naming `flag` when a quote is left open.
 */
export function splitWords(text: string, flag: string): string[] {
  const words: string[] = []
  let word: string | null = null
  let quote: string | null = null
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '\\' && quote !== "'" && at + 1 < text.length) word = (word ?? '') + (text[++at] ?? '')
    else if (quote !== null) {
      if (character === quote) quote = null
      else word = (word ?? '') + character
    } else if (character === '"' || character === "'") {
      quote = character
      word ??= ''
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + character
  }
  if (quote !== null)
    throw new UsageError(
      `${flag} must close each quote that it opens, got ${text}.\nNext: add the ${quote} that is missing, or write \\${quote} for the character itself.`,
    )
  return word === null ? words : [...words, word]
}
