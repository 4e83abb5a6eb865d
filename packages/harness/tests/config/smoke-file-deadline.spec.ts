import { spawn } from 'node:child_process'
import { tempWorkspace } from '@loader-smoke/testkit'
import { expect, it } from 'vitest'
import { loadSmokeFile } from '../../src/config/smoke-file.ts'

const smokes = "export default { bin: 'bin.ts' }\n"

it.each([
  ['awaits what never comes', `await new Promise(() => {})\n${smokes}`],
  ['imports what does', `import './waits.mts'\n${smokes}`],
  ['holds the process with a handle besides', `setInterval(() => {}, 60_000).unref()\nawait new Promise(() => {})\n`],
])('a file that %s is given up at the deadline', async (_, content) => {
  await using folder = await tempWorkspace({
    'smoke.config.mts': content,
    'waits.mts': 'await new Promise(() => {})\nexport {}\n',
  })
  const file = folder.file('smoke.config.mts')
  await expect(loadSmokeFile(file, 300)).rejects.toThrow(
    `${file} was not imported within 0.3 s: it, or what it imports, awaits what never comes, or what takes longer.\n` +
      'Next: take that out; a smoke.config only exports its smokes.',
  )
})

it('a file that takes a while is read, and the deadline is gone with it', async () => {
  await using folder = await tempWorkspace({
    'smoke.config.mts': `await new Promise((done) => setTimeout(done, 100))\n${smokes}`,
    'load.mts': `
      import { loadSmokeFile } from ${JSON.stringify(new URL('../../src/config/smoke-file.ts', import.meta.url).href)}
      const { fixtures } = await loadSmokeFile(new URL('smoke.config.mts', import.meta.url).pathname, 60_000)
      console.log(fixtures.length, process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length)
    `,
  })
  const child = spawn(process.execPath, ['--conditions=@loader-smoke/source', folder.file('load.mts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect({ code, output }).toEqual({ code: 0, output: '1 0\n' })
})

/** A file that is imported after so long. */
const after = (ms: number) => `await new Promise((done) => setTimeout(done, ${ms}))\n${smokes}`

it('a file is given its time while others are imported one after another', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `p${index}/smoke.config.mts`)
  await using folder = await tempWorkspace(
    Object.fromEntries(names.map((name, index) => [name, after(100 * (index + 1))])),
  )
  const warnings: Error[] = []
  const warned = (warning: Error) => warnings.push(warning)
  process.on('warning', warned)
  try {
    const files = await Promise.all(names.map((name) => loadSmokeFile(folder.file(name), 600)))
    expect(files).toHaveLength(12)
  } finally {
    process.off('warning', warned)
  }
  // One listener for the end of the process, however many files.
  expect(warnings).toEqual([])
})
