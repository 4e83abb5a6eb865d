/** `run --stream`: what bins print is seen while they run, as lines that are whole, safe and of one bin each. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitFor } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { call, packageWith, start } from './program.ts'

/** Prints a line, and ends once the file `go` is in the package: whoever writes it has seen the line. */
const waits = `
import { existsSync } from 'node:fs'
console.log('ready')
while (!existsSync(new URL('../go', import.meta.url))) await new Promise((resolve) => setTimeout(resolve, 20))
console.error('went')
process.stdout.write('the end')
`
const head = /^✓ (\S+) \(src\) passed in .*$/gm

describe('run --stream', { timeout: 180_000 }, () => {
  it('shows a line while the bin still runs, each stream with its sign, and then the verdict', async () => {
    await using folder = await packageWith({ waits })
    const { ended, stdout } = start(['run', '--stream'], { cwd: folder.path })
    await waitFor('the line to be shown', () => stdout() === '│ ready\n')
    await folder.write('go', '')
    const result = await ended
    const lines = result.stdout.replace(/\d+\.\d\d s/g, 'N s').split('\n')
    expect(lines.slice(1, 3).toSorted()).toEqual(['│ the end', '┃ went'])
    expect([lines[0], ...lines.slice(3)]).toEqual([
      '│ ready',
      '✓ waits (src) passed in N s',
      '1 passed, 0 failed in N s',
      '',
    ])
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('shows nothing when it is not given', async () => {
    await using folder = await packageWith({ says: "console.log('said')" })
    expect((await call(['run'], { cwd: folder.path })).stdout).not.toContain('said')
  })

  it('says of each line whose it is when several run, and mixes none', async () => {
    const says = `for (let at = 0; at < 50; at++) {
      process.stdout.write(process.argv[1].slice(-4, -3).repeat(40))
      process.stdout.write('-' + at + '\\n')
    }`
    await using folder = await packageWith({ a: says, b: says, c: says })
    const { stdout, code } = await call(['run', '--stream', '--jobs', '3'], { cwd: folder.path })
    const lines = stdout.replace(head, '').split('\n')
    for (const label of ['a', 'b', 'c'])
      expect(lines.filter((line) => line.startsWith(`${label} │ `))).toEqual(
        Array.from({ length: 50 }, (_, at) => `${label} │ ${label.repeat(40)}-${at}`),
      )
    expect(lines.filter((line) => line !== '' && !/^[abc] │ /.test(line))).toHaveLength(1)
    expect(code).toBe(0)
  })

  it('obeys nothing that a bin prints, and keeps its colours only where there are any', async () => {
    const evil = String.raw`console.log('\u001b[31mred\u001b[0m\u001b]0;title\u0007\u001b[2J')
      console.log('::error::no'); console.log('##vso[task.complete]'); console.log('1%\r2%')`
    await using folder = await packageWith({ evil })
    const shown = async (env: Readonly<Record<string, string>>) =>
      (await call(['run', '--stream'], { cwd: folder.path, env })).stdout.split('\n').slice(0, 4)
    expect(await shown({})).toEqual(['│ red', '│ ::error::no', '│ # #vso[task.complete]', '│ 2%'])
    const [red] = await shown({ FORCE_COLOR: '1' })
    expect(red).toBe('\u001b[2m│\u001b[22m \u001b[38;5;1mred\u001b[0m')
    expect((await shown({ FORCE_COLOR: '1', NO_COLOR: '1' }))[0]).toBe('│ red')
  })

  it('masks a secret that comes in two pieces, and shows what is around it at once', async () => {
    const leaks = waits
      .replace("console.log('ready')", "process.stdout.write('before\\nkey ' + process.env.MY_API_KEY.slice(0, 6))")
      .replace("'the end'", "process.env.MY_API_KEY.slice(6) + ' after'")
    await using folder = await packageWith(
      { leaks },
      { fixture: { leaks: { env: { MY_API_KEY: 'sk-0123456789' }, redact: ['went'] } } },
    )
    const { ended, stdout } = start(['run', '--stream'], { cwd: folder.path })
    await waitFor('what is before the secret', () => stdout().includes('│ before\n'))
    await folder.write('go', '')
    const result = await ended
    expect(result.stdout).toContain('│ key [redacted] after\n')
    expect(result.stdout).not.toMatch(/sk-0123456789|3456789|went/)
  })

  it('leaves out most of a flood, says so, and still judges at once', async () => {
    const floods = `
      import { closeSync, writeSync } from 'node:fs'
      const line = Buffer.from(('x'.repeat(1023) + '\\n').repeat(1024))
      for (let at = 0; at < 256; at++) writeSync(1, line)
      console.error(Date.now())`
    await using folder = await packageWith({ floods }, { fixture: { floods: { maxOutputBytes: 1_000_000_000 } } })
    const { stdout, code } = await call(['run', '--stream'], { cwd: folder.path })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^│ \[\.\.\. \d+ bytes left out of the live output \.\.\.\]$/m)
    expect(stdout.length).toBeLessThan(64_000_000)
    const report = JSON.parse(readFileSync(folder.file('.smoke/report.json'), 'utf8'))
    expect(report.smokes[0].stdout.bytes).toBe(256 * 1024 * 1024)
  })

  it('is the run it would be without a reader, and says what a slow one lost', async () => {
    const much = `for (let at = 0; at < 40; at++) {
      process.stdout.write((String(at).padStart(100, '.') + '\\n').repeat(1500))
      await new Promise((resolve) => setTimeout(resolve, 60))
    }`
    await using folder = await packageWith({ much })
    const gone = start(['run', '--stream'], { cwd: folder.path })
    gone.child.stdout?.destroy()
    expect(await gone.ended).toMatchObject({ code: 0, stderr: '' })

    const started = Date.now()
    const slow = start(['run', '--stream'], { cwd: folder.path })
    slow.child.stdout?.pause()
    await waitFor('the verdict', () => {
      try {
        return JSON.parse(readFileSync(join(folder.path, '.smoke/report.json'), 'utf8')).startedAtMs > started
      } catch {
        return false
      }
    })
    slow.child.stdout?.resume()
    const { stdout, code } = await slow.ended
    expect(code).toBe(0)
    // Which of the two is a matter of the machine's load: a follower that is behind has less to write.
    expect(stdout).toMatch(
      /^(?:\[\.\.\. \d+ lines left out: the reader of this output is slower|│ \[\.\.\. \d+ bytes left out of)/m,
    )
    expect(stdout).toMatch(/✓ much \(src\) passed/)
  })

  it('goes to standard error with --json', async () => {
    await using folder = await packageWith({ says: "console.log('said')" })
    const { stdout, stderr, code } = await call(['run', '--stream', '--json'], { cwd: folder.path })
    expect(JSON.parse(stdout).smokes).toHaveLength(1)
    expect({ stderr, code }).toEqual({ stderr: '│ said\n', code: 0 })
  })

  it('leaves the verdict of a failure as it is without it', async () => {
    await using folder = await packageWith({ bad: "console.error('broken'); process.exitCode = 7" })
    const verdict = async (words: readonly string[]) => {
      const { stdout } = await call(['run', ...words], { cwd: folder.path })
      return stdout.replace(/\d+\.\d\d s/g, 'N s')
    }
    expect(await verdict(['--stream'])).toBe(`┃ broken\n${await verdict([])}`)
  })
})
