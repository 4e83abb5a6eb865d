import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tempWorkspace } from '@loader-smoke/testkit'
import { expect, test } from 'vitest'
import { ensureInstall, installKey, stampPath } from '../ensure-install.mjs'

/** A root with a lockfile, and an install that counts its calls and ends with the next of `codes`. */
async function setUp(...codes: number[]) {
  const root = await tempWorkspace({ 'package.json': '{}', 'package-lock.json': '{"lockfileVersion":3}' })
  const said: string[] = []
  let installs = 0
  const run = () =>
    ensureInstall(
      root.path,
      () => {
        installs += 1
        return codes.shift() ?? 0
      },
      (line: string) => said.push(line),
    )
  return { root, said, run, installs: () => installs, [Symbol.asyncDispose]: () => root[Symbol.asyncDispose]() }
}

test('installs once, then does nothing while the lockfile stays', async () => {
  await using it = await setUp()
  expect([it.run(), it.run(), it.run()]).toEqual([0, 0, 0])
  expect(it.installs()).toBe(1)
  expect(it.said).toEqual(['Installing packages (npm ci): no finished install found.', 'Packages installed.'])
  expect(readFileSync(stampPath(it.root.path), 'utf8')).toBe(installKey(it.root.path))
})

test('installs again when the lockfile changes', async () => {
  await using it = await setUp()
  it.run()
  writeFileSync(it.root.file('package-lock.json'), '{"lockfileVersion":3,"packages":{}}')
  it.run()
  expect(it.installs()).toBe(2)
  expect(it.said[2]).toBe('Installing packages (npm ci): the lockfile changed.')
})

test('repeats an install that failed, and says so', async () => {
  await using it = await setUp(7, 0)
  expect(it.run()).toBe(7)
  expect(it.said.at(-1)).toBe("npm ci ended with exit code 7; the next run repeats it. Next: read npm's message above.")
  expect(it.run()).toBe(0)
  expect(it.installs()).toBe(2)
})

test('repeats an install that was interrupted', async () => {
  await using it = await setUp()
  it.run()
  writeFileSync(it.root.file('package-lock.json'), '{"lockfileVersion":2}')
  const interrupted = () =>
    ensureInstall(
      it.root.path,
      () => {
        throw new Error('interrupted')
      },
      () => {},
    )
  expect(interrupted).toThrow('interrupted')
  expect(existsSync(stampPath(it.root.path))).toBe(false)
  it.run()
  expect(it.installs()).toBe(2)
})
