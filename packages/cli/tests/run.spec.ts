/** The program on real bins. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertNothingLeft, processesWith, tempWorkspace, waitFor } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { BIN, call, packageWith, start } from './program.ts'

const good = 'console.log("fine" as string)'
const bad = 'console.error("broken"); process.exitCode = 7'

describe('the exit code', { timeout: 180_000 }, () => {
  it('is 0 when all passed', async () => {
    await using folder = await packageWith({ good })
    const { code, stdout, stderr } = await call(['run'], { cwd: folder.path })
    expect(stdout).toMatch(/^✓ good \(src\) passed in \d+\.\d\d s\n1 passed, 0 failed in \d+\.\d\d s\n$/)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('is 1 when one failed, with the reason first, then streams, then what to do', async () => {
    await using folder = await packageWith({ good, bad })
    const { code, stdout } = await call(['run', '--jobs', '1'], { cwd: folder.path })
    expect(stdout.replace(/\d+\.\d\d s/g, 'N s')).toBe(
      [
        '✓ good (src) passed in N s',
        '✗ bad (src) failed in N s',
        '  bad exited 7 (expected 0).',
        '  stdout: empty',
        '  stderr (7 bytes):',
        '  │ broken',
        '  Run it again: npx loader-smoke run bad --config smoke.config.json --mode src',
        '1 passed, 1 failed in N s',
        '',
      ].join('\n'),
    )
    expect(code).toBe(1)
  })

  it.each([
    [
      ['run', 'goood'],
      'loader-smoke: no smoke is called "goood"; there are good. Did you mean good?\nNext: see `loader-smoke list`.\n',
    ],
    [
      ['run', '--filter', 'x'],
      'loader-smoke: no smoke matches --filter x; there are good.\nNext: correct the filter.\n',
    ],
    [
      ['run', '--task', 'a', '--args', 'b'],
      'loader-smoke: --task and --args were both given: a task is appended to the default arguments, --args replaces them.\nNext: put the task into --args.\n',
    ],
    [['run', '--config', 'gone.json'], "gone.json can't be read: ENOENT"],
  ])('is 2 for wrong use: %j', async (words, message) => {
    await using folder = await packageWith({ good })
    const { code, stdout, stderr } = await call(words, { cwd: folder.path })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(existsSync(folder.file('.smoke'))).toBe(false)
  })

  it.each(['package.json', 'package.json/reports'])('is 2 when reports are to go to %s', async (output) => {
    await using folder = await packageWith({ good: "console.log('ran')" })
    const { code, stdout, stderr } = await call(['run', '--output', output], { cwd: folder.path })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(
      `loader-smoke: --output must be a folder that reports can be written to, got ${folder.file(output)}: E`,
    )
  })

  it('is 2 for a mode that is none, and for a built entry that is missing', async () => {
    await using folder = await packageWith({ good })
    const mode = await call(['run'], { cwd: folder.path, env: { DSH_EXAMPLE_MODE: 'lbi' } })
    expect(mode).toMatchObject({ code: 2, stdout: '' })
    expect(mode.stderr).toMatch(/^loader-smoke: DSH_EXAMPLE_MODE must be 'src' or 'lib', got "lbi"\./)
    const built = await call(['run', '--mode', 'lib'], { cwd: folder.path })
    expect(built.code).toBe(2)
    expect(built.stdout).toMatch(/^! good \(lib\) was not judged\n {2}good has no built entry .*lib\/good\.js/)
  })

  it.each([
    ['calls process.exit', 'process.exit(0)'],
    ['awaits what never comes', 'await new Promise(() => {})'],
  ])('is 2 when a smoke.config %s while it is imported, and names it', async (_, line) => {
    await using folder = await packageWith({ good }, { files: { 'bad/smoke.config.ts': `${line}\nexport default {}` } })
    const { code, stdout, stderr } = await call(['run', '--config', 'bad/smoke.config.ts'], { cwd: folder.path })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe(
      `${folder.file('bad/smoke.config.ts')} was still being imported when the process ended: it, or what it imports, called process.exit or awaits what never comes.\nNext: take that out; a smoke.config only exports its smokes.\n`,
    )
  })

  it.each([
    ['is the verdict when a smoke.config leaves a timer running', '', 0, /^✓ good /],
    ['is 2 when one waits for ever beside a timer', 'await new Promise(() => {})', 2, /^$/],
  ])('%s, and the program ends', async (_, line, expected, printed) => {
    await using folder = await packageWith({ good })
    const fixture = "{ label: 'good', bin: '../src/good.ts', turn: 'optional' }"
    await folder.write('own/smoke.config.ts', `setInterval(() => {}, 1_000)\n${line}\nexport default ${fixture}`)
    const { code, stdout } = await call(['run', '--config', 'own/smoke.config.ts'], { cwd: folder.path })
    expect(code).toBe(expected)
    expect(stdout).toMatch(printed)
  })

  it.each([
    ['calls process.exit later', 'setTimeout(() => process.exit(0), 1)'],
    ['throws later', 'setTimeout(() => { throw new Error("late") }, 1)'],
  ])('is 3 when a smoke.config %s, whatever was judged by then', async (_, line) => {
    await using folder = await packageWith({ good })
    await folder.write('own/smoke.config.ts', `${line}\nexport default { bin: '../src/good.ts', turn: 'optional' }`)
    const { code, stderr } = await call(['run', '--config', 'own/smoke.config.ts'], { cwd: folder.path })
    expect(code).toBe(3)
    expect(stderr).toMatch(/loader-smoke: the process ended with code \d before the call did[^]*process\.exit/)
  })

  it("is the verdict's when nobody reads what is printed, and nothing is said of it", async () => {
    await using folder = await packageWith({ good, bad })
    const { child, ended } = start(['run', '--jobs', '1'], { cwd: folder.path })
    child.stdout?.destroy()
    const { code, stderr } = await ended
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(existsSync(folder.file('.smoke/report.json'))).toBe(true)
  })

  it('is 3 when the machine gives no folder to run in', async () => {
    await using folder = await packageWith({ good })
    const { code, stdout } = await call(['run'], { cwd: folder.path, env: { TMPDIR: folder.file('gone') } })
    expect(stdout).toContain('the temporary folder of good can')
    expect(code).toBe(3)
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('is, after %s, %i, and nothing is left', async (signal, expected) => {
    const worlds = await mkdtemp(join(tmpdir(), 'loader-smoke-cli-'))
    const marker = `cli-${signal}-${process.pid}`
    await using folder = await packageWith(
      { hang: `setInterval(() => {}, 1_000) // ${marker}`, good },
      { fixture: { hang: { env: { MARKER: marker } } } },
    )
    const { child, ended, stdout } = start(['run', '--jobs', '1'], { cwd: folder.path, env: { TMPDIR: worlds } })
    await waitFor('the bin to run', () => processesWith(marker).length > 0, { deadlineMs: 60_000 })
    child.kill(signal)
    const { code } = await ended
    expect(code).toBe(expected)
    expect(stdout()).toMatch(new RegExp(`hang was interrupted by ${signal}`))
    expect(stdout()).toMatch(/interrupted by SIG\w+\n0 passed, 0 failed, 1 not judged, 1 not run in/)
    await assertNothingLeft(marker)
    expect(readdirSync(worlds).filter((name) => !name.startsWith('tsx-') && !name.startsWith('node-'))).toEqual([])
    await rm(worlds, { recursive: true })
  })
})

describe('a call', { timeout: 180_000 }, () => {
  it('prints nothing but JSON with --json', async () => {
    await using folder = await packageWith({ good, bad })
    const { code, stdout, stderr } = await call(['run', '--json', '--keep-world=never'], { cwd: folder.path })
    const report = JSON.parse(stdout) as {
      readonly smokes: readonly { readonly label: string; readonly verdict: string }[]
    }
    expect(report.smokes.map(({ label, verdict }) => [label, verdict])).toEqual([
      ['good', 'pass'],
      ['bad', 'fail'],
    ])
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(JSON.parse(await folder.read('.smoke/report.json'))).toEqual(report)
    const list = await call(['list', '--json'], { cwd: folder.path })
    expect(JSON.parse(list.stdout)).toMatchObject([
      { label: 'good', mode: 'src', bin: 'src/good.ts' },
      { label: 'bad' },
    ])
  })

  it('stops with --bail after the first that did not pass, and says how many it left out', async () => {
    await using folder = await packageWith({ bad, good, more: good })
    const { code, stdout } = await call(['run', '--bail', '--jobs', '1'], { cwd: folder.path })
    expect(stdout).toMatch(/0 passed, 1 failed, 2 not run in/)
    expect(code).toBe(1)
  })

  it('runs each as often as --repeat says', async () => {
    await using folder = await packageWith({
      flaky: `import { existsSync, writeFileSync } from 'node:fs'\nconst mark = process.env.MARK!\nif (existsSync(mark)) process.exit(3)\nwriteFileSync(mark, '')`,
    })
    await folder.write(
      'smoke.config.json',
      JSON.stringify({ turn: 'optional', label: 'flaky', bin: 'src/flaky.ts', env: { MARK: '${configDir}/mark' } }),
    )
    const { code, stdout } = await call(['run', '--repeat', '3', '--jobs', '1'], { cwd: folder.path })
    expect(stdout).toMatch(/✓ flaky #1 [^]*✗ flaky #2 [^]*✗ flaky #3 [^]*1 passed, 2 failed/)
    expect(code).toBe(1)
  })

  it('hands task, arguments, deadline and mode to the bin', async () => {
    const echo =
      'console.log(JSON.stringify(process.argv.slice(2))); if (process.argv.includes("wait")) setInterval(() => {}, 1_000)'
    await using folder = await packageWith(
      { echo },
      { files: { 'lib/echo.js': 'console.log("built " + process.argv.slice(2).join())' } },
    )
    const report = async () =>
      (
        JSON.parse(await folder.read('.smoke/report.json')) as {
          smokes: { stdout: { text: string }; timedOut: boolean; mode: string }[]
        }
      ).smokes[0]
    await call(['run', '--args', `one "two words"`], { cwd: folder.path })
    expect((await report())?.stdout.text).toBe('["one","two words"]\n')
    await call(['run', '--task', 'Say hi'], { cwd: folder.path })
    expect((await report())?.stdout.text).toBe('["Say hi"]\n')
    await call(['run', '--args', 'wait', '--timeout', '700'], { cwd: folder.path })
    expect((await report())?.timedOut).toBe(true)
    await call(['run', '--mode', 'lib', '--args', 'x'], { cwd: folder.path })
    expect(await report()).toMatchObject({ mode: 'lib', stdout: { text: 'built x\n' } })
  })

  it('waits with --inspect for a debugger, and has no deadline that ends the wait', async () => {
    await using folder = await packageWith({ good }, { fixture: { good: { timeout: 1 } } })
    const { child, ended } = start(['run', 'good', '--inspect'], { cwd: folder.path })
    try {
      const targets = await waitFor(
        'the bin to listen for a debugger',
        async () => (await fetch('http://127.0.0.1:9229/json/list')).json() as Promise<{ title: string }[]>,
        { deadlineMs: 60_000 },
      )
      expect(targets.map(({ title }) => title)).toEqual([folder.file('src/good.ts')])
    } finally {
      child.kill('SIGINT')
    }
    expect(await ended).toMatchObject({ code: 130, stdout: expect.stringContaining('good was interrupted by SIGINT') })
  })

  it('finds the smokes of every package below, and tells two of one label apart', async () => {
    await using root = await packageWith(
      { good },
      {
        files: {
          'packages/b/smoke.config.json': '{"label": "good", "bin": "x.ts"}',
          'packages/b/tsconfig.json': '{}',
          'node_modules/c/smoke.config.json': 'junk',
        },
      },
    )
    const own = await call(['list'], { cwd: root.path })
    expect(own.stdout).toBe('good  src  smoke.config.json\n')
    await rm(root.file('smoke.config.json'))
    await root.write('packages/a/smoke.config.json', '{"label": "good", "bin": "x.ts"}')
    const { stdout } = await call(['list'], { cwd: root.path })
    expect(stdout).toBe(
      'packages/a:good  src  packages/a/smoke.config.json\npackages/b:good  src  packages/b/smoke.config.json\n',
    )
  })

  it.each([
    [['tool'], ['tools']],
    [['packages/b'], ['notes']],
    [
      ['to*ls', 'note'],
      ['tools', 'notes'],
    ],
    [['ages*b', 'hello'], ['notes']],
    [['*'], ['tools', 'notes']],
  ])('takes with --filter %j the smokes whose label or folder holds one of them', async (patterns, expected) => {
    await using root = await tempWorkspace({
      'packages/a/smoke.config.json': '{"label": "tools", "bin": "x.ts"}',
      'packages/b/smoke.config.json': '{"label": "notes", "bin": "x.ts"}',
      'tsconfig.json': '{}',
    })
    const { stdout } = await call(['list', '--json', ...patterns.flatMap((pattern) => ['--filter', pattern])], {
      cwd: root.path,
    })
    expect((JSON.parse(stdout) as { label: string }[]).map(({ label }) => label)).toEqual(expected)
  })

  it('points from a folder of a package to the file above, and where none is to init', async () => {
    await using folder = await packageWith({ a: '' })
    await using none = await tempWorkspace({})
    const file = 'smoke.config.json, .ts or .mts'
    expect(await call(['run'], { cwd: folder.file('src') })).toMatchObject({
      code: 2,
      stderr: `loader-smoke: no ${file} is in ${folder.file('src')} or below it.\nNext: call it in ${folder.path}, which has one, or name that one with --config.\n`,
    })
    expect(await call(['run'], { cwd: none.path })).toMatchObject({
      code: 2,
      stderr: `loader-smoke: no ${file} is in ${none.path} or below it.\nNext: write one with \`npx loader-smoke init\`, or name it with --config.\n`,
    })
  })

  it('passes by folders that it may not read', async () => {
    await using root = await tempWorkspace({
      'app/smoke.config.json': '{ "label": "a", "bin": "a.ts", "mode": "lib" }',
      'data/file': '',
    })
    await chmod(root.path, 0o755)
    await chmod(root.file('data'), 0)
    // The superuser may read anything, so the program runs as someone else.
    const someone = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    const words = ['--conditions=@loader-smoke/source', BIN, 'list']
    const ran = spawnSync(process.execPath, words, { cwd: root.path, encoding: 'utf8', ...someone })
    await chmod(root.file('data'), 0o755)
    expect([ran.stdout, ran.stderr, ran.status]).toEqual(['a  lib  app/smoke.config.json\n', '', 0])
  })

  it('takes no --filter for the name that every file of smokes has', async () => {
    await using root = await packageWith({ good })
    expect(await call(['list', '--filter', 'ok'], { cwd: root.path })).toMatchObject({ code: 2, stdout: '' })
  })

  it('writes the reports that were asked for, and those of GitHub where it runs there', async () => {
    await using folder = await packageWith({ bad: 'throw new Error("no luck")' })
    const env = {
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: folder.path,
      GITHUB_STEP_SUMMARY: folder.file('summary.md'),
    }
    const { stdout } = await call(['run'], { cwd: folder.path, env })
    expect(stdout).toContain('\n::error title=bad (src),file=src/bad.ts,line=1,col=7::bad exited 1 (expected 0).\n')
    expect(await folder.read('summary.md')).toMatch(/^## Smokes: 0 passed, 1 failed/)
    await call(['run', '--reporter', 'html,junit', '--output', 'out'], { cwd: folder.path })
    expect(readdirSync(folder.file('out')).toSorted()).toEqual(['junit.xml', 'report.html', 'report.json'])
  })

  it('lets a hostile bin neither touch the terminal nor command the CI runner', async () => {
    const hostile = String.raw`console.log('::error::injected\r::error::again\n##[error]x\n\u001b]0;owned\u0007\u001b[2J\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\\u001b[31mred'); process.exitCode = 1`
    await using folder = await packageWith({ hostile })
    const { stdout } = await call(['run'], {
      cwd: folder.path,
      env: { GITHUB_ACTIONS: 'true', FORCE_COLOR: '1', GITHUB_STEP_SUMMARY: folder.file('s.md') },
    })
    expect(stdout).toContain('link')
    const colors = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')
    const plain = stdout.replace(colors, '')
    expect(plain).not.toContain(String.fromCharCode(27))
    expect(plain).not.toContain('\r')
    const commands = plain.split('\n').filter((line) => line.trimStart().startsWith('::') || line.includes('##['))
    expect(commands).toEqual(['::error title=hostile (src)::hostile exited 1 (expected 0).'])
  })

  it('runs again when a file changes, and ends with Ctrl-C', async () => {
    await using folder = await packageWith({ good })
    const { child, ended, stdout } = start(['run', '--watch'], { cwd: folder.path })
    await waitFor('the first run', () => stdout().includes('Waiting for a change'), { deadlineMs: 60_000 })
    await folder.write('src/good.ts', bad)
    await waitFor('the second run', () => stdout().split('Waiting for a change').length === 3, { deadlineMs: 60_000 })
    expect(stdout()).toMatch(/1 passed, 0 failed[^]*0 passed, 1 failed/)
    await folder.write('smoke.config.json', '{"nonsense": 1}')
    await waitFor('the third run', () => stdout().split('Waiting for a change').length === 4, { deadlineMs: 60_000 })
    child.kill('SIGINT')
    expect(await ended).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('nonsense is no option of a smoke'),
    })
  })
})
