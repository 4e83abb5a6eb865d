/** The README's table of options is the table in the code. */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { options } from '../src/config.ts'

it('has a row for each option, with what it allows and its default', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const table = readme.slice(readme.indexOf('| Option '), readme.indexOf('<!-- options: end -->'))
  const rows = table
    .trim()
    .split('\n')
    .slice(2)
    .map((row) => row.split(/ *(?<!\\)\| */).slice(1, -1))
  const expected = Object.entries(options).map(([name, { says, allowed, default: value, defaultSays }]) => [
    `\`${name}\``,
    says,
    allowed,
    defaultSays ?? `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``,
  ])
  expect(rows).toEqual(expected)
})
