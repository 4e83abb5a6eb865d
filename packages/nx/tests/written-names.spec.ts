import { expect, it } from 'vitest'
import { writtenNames } from '../src/declared/written-names.ts'

it('calls each option what the strongest of the places calls it', () => {
  const names = writtenNames([
    { given: { timeout: 'abc', __overrides_unparsed__: [] }, prefix: '--', place: '' },
    { given: undefined, prefix: '', place: 'app:smoke:ci' },
    { given: { bin: 'b.ts', timeout: 1, processTimeoutMs: 2, configPath: 'c.yml' }, prefix: '', place: 'app:smoke' },
  ])
  expect(Object.fromEntries(names)).toEqual({
    binScript: { name: 'bin', place: 'app:smoke' },
    configPath: { name: 'configPath', place: 'app:smoke' },
    processTimeoutMs: { name: '--timeout', place: '' },
  })
})
