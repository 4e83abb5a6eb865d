import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Paths of everything that a fresh Node loads for `specifier`, CommonJS and ES modules. */
function loadedBy(specifier: string): string[] {
  const program = `
    import { registerHooks, createRequire } from 'node:module'
    const loaded = []
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
    await import(${JSON.stringify(specifier)})
    console.log(JSON.stringify([...loaded, ...Object.keys(createRequire(import.meta.url).cache)]))`
  const args = ['--conditions=@loader-smoke/source', '--input-type=module', '-e', program]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })) as string[]
}

test.each(['@loader-smoke/harness', '@loader-smoke/harness/options'])(
  'importing %s loads no package but our own',
  (specifier) => {
    const loaded = loadedBy(specifier)
    expect(loaded.some((url) => url.includes('/packages/harness/src/'))).toBe(true)
    expect(loaded.filter((url) => url.includes('/node_modules/'))).toEqual([])
  },
)

test('importing the package does not load the stages of a run, nor what they need of Node', () => {
  const loaded = loadedBy('@loader-smoke/harness')
  expect(loaded.filter((url) => /\/(?:supervise|observe|verdict)\/|\/smoke\.ts$/.test(url))).toEqual([])
  expect(loaded.filter((url) => url.includes('/config/smoke-names.ts'))).toEqual([])
  expect(loaded).not.toContain('node:crypto')
  expect(loaded).not.toContain('node:fs')
  expect(loaded).not.toContain('node:child_process')
})

test('the probe sees what is loaded', () => {
  expect(loadedBy('execa').some((url) => url.includes('/node_modules/execa/'))).toBe(true)
})
