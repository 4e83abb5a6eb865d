import { open, rm } from 'node:fs/promises'
import { tempWorkspace } from '@loader-smoke/testkit'
import { expect, it } from 'vitest'
import { fileView } from '../../src/reads/file-view.ts'

const upper = (text: string) => text.toUpperCase()

it('answers whatever is asked twice from the first time', async () => {
  await using folder = await tempWorkspace({ 'a.txt': 'first' })
  const path = folder.file('a.txt')
  const view = fileView()
  const look = () => [view.kindOf(path), view.parsed(path, upper), view.realOf(path)]
  const first = look()
  await rm(path)
  expect(first.slice(0, 2)).toEqual(['file', 'FIRST'])
  expect(look()).toEqual(first)
  expect(fileView().kindOf(path)).toBeUndefined()
})

it.runIf(process.platform === 'linux')(
  'finds no real path of what is gone since it was looked at, and does not throw',
  async () => {
    await using folder = await tempWorkspace({ 'a.txt': '' })
    await using file = await open(folder.file('a.txt'))
    await rm(folder.file('a.txt'))
    const path = `/proc/self/fd/${file.fd}`
    const view = fileView()
    expect([view.kindOf(path), view.realOf(path)]).toEqual(['file', undefined])
  },
)
