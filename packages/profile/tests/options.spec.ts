/** Options that can't be meant, told before anything is read. */
import { expect, test } from 'vitest'
import { type ProfileOptions, resolveOptions } from '../src/options.ts'

const good: ProfileOptions = { binName: 'my-agent', profile: 'headless', installAnchor: '/app/package.json' }

test('defaults', () => {
  expect(resolveOptions(good, { DSH_HOME: '/home' })).toEqual({
    ...good,
    overlayPaths: [],
    home: '/home',
    userLayer: false,
    allowUnmatched: [],
    settleTimeoutMs: 20_000,
    prepare: null,
  })
})

test.each<[Record<string, unknown>, string]>([
  [
    { binName: '' },
    'profile: binName must be the name that messages begin with, got "".\nNext: give the name of the bin.',
  ],
  [
    { profile: '../x' },
    'my-agent: profile must be the name of one folder, got "../x".\nNext: give a name such as "headless".',
  ],
  [
    { installAnchor: 'package.json' },
    "my-agent: installAnchor must be the absolute path of the app's package.json, got \"package.json\".\nNext: take `fileURLToPath(new URL('../package.json', import.meta.url))` in the bin.",
  ],
  [
    { settleTimeoutMs: 0 },
    'my-agent: settleTimeoutMs must be an integer from 1 to 2147483647, got 0.\nNext: give a number of milliseconds.',
  ],
  [
    { overlayPaths: ['a.patch.yml'] },
    'my-agent: an overlay must be an absolute path, got "a.patch.yml".\nNext: resolve it against the file that names it.',
  ],
  [
    { home: 'here' },
    'my-agent: home must be an absolute path, got "here" from the options.\nNext: run the bin through runLoaderSmoke, which sets DSH_HOME to a folder of the run, or give home.',
  ],
])('%j', (wrong, message) => {
  expect(() => resolveOptions({ ...good, home: '/home', ...wrong }, {})).toThrow(
    expect.objectContaining({ name: 'ProfileError', message }),
  )
})

test('without DSH_HOME nothing is written into the user’s own home', () => {
  expect(() => resolveOptions(good, {})).toThrow(
    'my-agent: home must be an absolute path, got undefined from DSH_HOME.\nNext: run the bin through runLoaderSmoke, which sets DSH_HOME to a folder of the run, or give home.',
  )
})
