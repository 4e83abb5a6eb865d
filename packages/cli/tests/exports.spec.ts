import { expect, it } from 'vitest'
import { defineSmokeConfig } from '../src/index.ts'

it('gives a config its types and returns it as it is', () => {
  const config = defineSmokeConfig({ bin: 'src/bin.ts', timeout: 5_000, expect: { output: /hello/ } })
  expect(config).toEqual({ bin: 'src/bin.ts', timeout: 5_000, expect: { output: /hello/ } })
  // @ts-expect-error a misspelled option is an error in the editor already
  defineSmokeConfig({ bin: 'src/bin.ts', timout: 5_000 })
  // @ts-expect-error the runner's own options are not for files
  defineSmokeConfig({ bin: 'src/bin.ts', rerun: { argv: ['x'] } })
})
