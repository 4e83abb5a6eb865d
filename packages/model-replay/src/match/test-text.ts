/** Tests on texts, as scripts write them. */
import type { TextTest } from '../script/schema.ts'

/** Whether `text` passes `test`. Plain text in a script means "contains". */
export function testText(test: TextTest, text: string): boolean {
  if (typeof test === 'string') return text.includes(test)
  if (test.equals !== undefined) return text === test.equals
  if (test.contains !== undefined) return text.includes(test.contains)
  return new RegExp(test.matches ?? '', 'su').test(text)
}

/** The test in words: `contains "x"`. */
export function describeTest(test: TextTest): string {
  if (typeof test === 'string') return `contains ${excerpt(test)}`
  if (test.equals !== undefined) return `is ${excerpt(test.equals)}`
  if (test.contains !== undefined) return `contains ${excerpt(test.contains)}`
  return `matches /${test.matches}/su`
}

/** `text` quoted, and cut to `max` characters with its whole length said. */
export function excerpt(text: string, max = 160): string {
  return text.length <= max
    ? JSON.stringify(text)
    : `${JSON.stringify(text.slice(0, max))}... (${text.length} characters)`
}
