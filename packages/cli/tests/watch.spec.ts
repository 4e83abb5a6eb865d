import { join } from 'node:path'
import { tempWorkspace } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { isIgnored, openWatch } from '../src/run/watch.ts'

const stopOf = (controller: AbortController) => ({
  signal: null,
  aborted: controller.signal,
  [Symbol.dispose]() {},
})

describe('a watch', () => {
  it('tells a change that came before it was asked, once', async () => {
    await using folder = await tempWorkspace({ 'src/a.ts': '' })
    using watch = openWatch(folder.path)
    const running = new AbortController()
    await folder.write('src/a.ts', 'changed while something ran')
    expect(await watch.changed(stopOf(running))).toBe(true)
    const again = watch.changed(stopOf(running))
    await folder.write('src/b.ts', 'new')
    expect(await again).toBe(true)
  })

  it('ends when the program is to stop', async () => {
    await using folder = await tempWorkspace()
    using watch = openWatch(folder.path)
    const stopping = new AbortController()
    const changed = watch.changed(stopOf(stopping))
    stopping.abort()
    expect(await changed).toBe(false)
    expect(await watch.changed(stopOf(stopping))).toBe(false)
  })

  it.each([
    [join('.smoke', 'report.json'), true],
    [join('app', 'node_modules', 'x', 'y.js'), true],
    ['.git', true],
    [join('src', 'bin.ts'), false],
    [join('src', 'smoke', 'git.ts'), false],
  ])('takes notice of %s: not %s', (path, ignored) => {
    expect(isIgnored(path)).toBe(ignored)
  })
})
