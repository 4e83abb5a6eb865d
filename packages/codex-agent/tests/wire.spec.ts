/** The generated types are those of the installed CLI. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { generateWire } from '../../../tools/gen-codex-wire.ts'

test('the committed wire types are what the pinned CLI says', async () => {
  for (const [name, text] of Object.entries(await generateWire())) {
    const committed = await readFile(new URL(`../src/wire/generated/${name}`, import.meta.url), 'utf8')
    expect(
      committed === text,
      `${name} differs from the pinned CLI's protocol. Next: run \`npm run gen\` and look at the difference.`,
    ).toBe(true)
  }
})
