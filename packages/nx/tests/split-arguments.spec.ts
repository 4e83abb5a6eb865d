import { describe, expect, it } from 'vitest'
import { splitArguments } from '../src/declared/split-arguments.ts'

describe('splitArguments', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['   ', []],
    ['--flag value', ['--flag', 'value']],
    ['  a\t b\n c ', ['a', 'b', 'c']],
    [`--name "two words"`, ['--name', 'two words']],
    [`--name 'two words'`, ['--name', 'two words']],
    [`--name="two words"x`, ['--name=two wordsx']],
    [`""`, ['']],
    [`a '' b`, ['a', '', 'b']],
    [`two\\ words`, ['two words']],
    [`"say \\"hi\\""`, ['say "hi"']],
    [`'no \\ escape'`, ['no \\ escape']],
    [`"it's"`, ["it's"]],
    [`{"a":1}`, ['{a:1}']],
    [`'{"a":1}'`, ['{"a":1}']],
    [`"unclosed words`, ['unclosed words']],
    ['ä "ö ü"', ['ä', 'ö ü']],
  ])('splits %j', (text, words) => {
    expect(splitArguments(text)).toEqual(words)
  })
})
