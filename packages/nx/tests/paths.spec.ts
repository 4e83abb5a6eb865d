import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { insideOf, slashed, toAbsolute } from '../src/declared/paths.ts'

const anchor = { workspaceRoot: resolve('/work space/ä'), projectRoot: 'packages/app' }

describe('toAbsolute', () => {
  it.each([
    ['{projectRoot}/src/bin.ts', '/work space/ä/packages/app/src/bin.ts'],
    ['{workspaceRoot}/tsconfig.base.json', '/work space/ä/tsconfig.base.json'],
    ['{projectRoot}', '/work space/ä/packages/app'],
    ['{workspaceRoot}', '/work space/ä'],
    ['packages/app/cordis.yml', '/work space/ä/packages/app/cordis.yml'],
    ['./a/../b.yml', '/work space/ä/b.yml'],
    ['../outside.yml', '/work space/outside.yml'],
    ['/else/where.yml', '/else/where.yml'],
    ['{projectRoot}x/y', '/work space/ä/{projectRoot}x/y'],
  ])('reads %s', (given, absolute) => {
    expect(toAbsolute(given, anchor)).toBe(resolve(absolute))
  })

  it('takes a dollar sign in a folder name as it is', () => {
    expect(toAbsolute('{projectRoot}/x', { workspaceRoot: resolve('/a$&b'), projectRoot: '.' })).toBe(
      resolve('/a$&b/x'),
    )
  })
})

describe('insideOf', () => {
  it.each<[string, string, string | null]>([
    ['/w', '/w/a/b.ts', 'a/b.ts'],
    ['/w/', '/w/a', 'a'],
    ['/w', '/w', ''],
    ['/w', '/wx/a', null],
    ['/w', '/', null],
    ['C:\\w', 'C:\\w\\a\\b.ts', 'a/b.ts'],
    ['C:/w', 'C:\\w\\a', 'a'],
    ['C:\\w', 'D:\\w\\a', null],
  ])('in %s finds %s', (folder, path, inside) => {
    expect(insideOf(folder, path)).toBe(inside)
  })

  it('gives Nx forward slashes', () => {
    expect(slashed('packages\\app\\src')).toBe('packages/app/src')
  })
})
