import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type LoaderSmokeOptions, runLoaderSmoke, SmokeError } from '@loader-smoke/harness'
import { processesWith, tempWorkspace, waitFor } from '@loader-smoke/testkit'
import { expect, test, vi } from 'vitest'
import { arena, errorOf, fixture, program, withoutRerun } from '../fixtures/fixture.ts'

test.each<[string, string, Partial<LoaderSmokeOptions>, string]>([
  ['another exit code', 'exits', { binArgs: ['7'] }, 'exits exited 7 (expected 0). stdout:\nout\n\nstderr:\nerr\n'],
  [
    'a clean exit where another code was declared',
    'exits',
    { binArgs: ['0'], expectedExitCode: 7 },
    'exits exited 0 (expected 7). stdout:\nout\n\nstderr:\nerr\n',
  ],
  [
    'a signal',
    'ends-by-signal',
    { binArgs: ['SIGUSR2'] },
    'ends-by-signal was killed by SIGUSR2 (expected exit 0). stdout:\nabout to end\n\nstderr:\n',
  ],
  [
    'an exit where a signal was expected',
    'exits',
    { binArgs: ['3'], expectedSignal: 'SIGTERM' },
    'exits exited 3 (expected signal SIGTERM). stdout:\nout\n\nstderr:\nerr\n',
  ],
  [
    'a deadline',
    'hangs',
    { processTimeoutMs: 6000 },
    'hangs did not exit within 6s. stdout:\nwaiting\n\nstderr:\nstill waiting\n\n' +
      'Next: find what keeps the bin alive (a timer, a server, a stream that is not closed), or allow more with processTimeoutMs.',
  ],
  [
    'a turn that is missing',
    'exits',
    { binArgs: [], turn: 'required' },
    'exits drove no turn (expected one). stdout:\nout\n\nstderr:\nerr\n\n' +
      "Next: only a bin that calls runFixtureTurn of '@loader-smoke/turn' reports turns; call it, or set turn to 'optional'.",
  ],
  [
    'text that is missing, and a file',
    'exits',
    { binArgs: [], expect: { stdout: 'in', stderr: /^ERR/, files: [{ path: 'done.txt' }] } },
    'exits wrote no "in" to stdout. stdout:\nout\n\nstderr:\nerr\n\n' +
      'exits wrote no /^ERR/ to stderr.\nexits left no file "done.txt" in its world (expected one).',
  ],
  [
    'a turn that failed although the bin exits 0',
    'reports',
    {
      binArgs: [
        '{"v":1,"type":"turn-start","turn":1,"sessionId":"s","atMs":1}',
        '{"v":1,"type":"turn-failed","turn":1,"sessionId":"s","kind":"error","reason":"AUTH (HTTP 401): bad key","message":"m","atMs":2}',
      ],
    },
    'reports root agent failed: AUTH (HTTP 401): bad key\nstdout:\n\nstderr:\n',
  ],
  [
    'a broken report',
    'reports',
    { binArgs: ['{"v":1'] },
    'reports wrote a broken turn report: line 1 is not JSON. stdout:\n\nstderr:\n',
  ],
  [
    'a report of a failed turn that the bin removed',
    'removes-its-report',
    { binArgs: ['{"v":1,"type":"turn-failed","turn":1,"kind":"error","reason":"no","message":"m"}'] },
    'removes-its-report wrote a broken turn report: it was removed. stdout:\n\nstderr:\n',
  ],
  [
    'a config that is not there',
    'exits',
    { configPath: '/not/there.yml', binArgs: ['1'] },
    'exits exited 1 (expected 0). stdout:\nout\n\nstderr:\nerr\n\n' +
      'Next: configPath /not/there.yml is not there; create it, correct the path, or write it in prepare.',
  ],
])('tells %s', async (_, name, more, message) => {
  await using world = await arena()
  const error = await errorOf(fixture(name, world, more))
  expect(withoutRerun(error.message).trimEnd()).toBe(message.trimEnd())
  expect(error.verdict.kind).toBe('fail')
  expect(world.entries()).toEqual([])
})

test('a bin that removes the folder of its own report is named as the one who did', async () => {
  await using world = await arena()
  const error = await errorOf(fixture('removes-its-run-folder', world))
  expect(withoutRerun(error.message)).toMatch(
    /^removes-its-run-folder could not be judged: the folder of its streams and its turn report is gone, \S+\.\nNext: see what in the bin removes folders that it did not make; that one is named by LOADER_SMOKE_REPORT\.$/,
  )
  expect(error.verdict).toMatchObject({ kind: 'error', stage: 'observe', facts: null })
  expect(world.entries()).toEqual([])
})

test('explains Node’s exit code 13', async () => {
  await using world = await arena()
  const { message } = await errorOf(fixture('never-settles', world))
  expect(message.startsWith('never-settles exited 13 (expected 0). stdout:\n')).toBe(true)
  expect(message).toContain('\nNext: Node exits 13 when a top-level await never settles')
})

test('a package that built mode can’t find is traced to the manifest that must declare it', async () => {
  await using world = await arena()
  await using app = await tempWorkspace({ 'package.json': '{"name":"app"}', 'cordis.yml': '' })
  const more = { configPath: app.file('cordis.yml') }
  const { message } = await errorOf(fixture('imports-a-missing-package', world, more))
  expect(message).toContain("Cannot find package '@not/installed' imported from ")
  expect(message).toContain(
    `\nNext: mode is 'lib': the package that owns the config must declare what the config names; add '@not/installed' to the dependencies in ${app.file('package.json')}.\n`,
  )
})

test('a bin that hangs is gone when the smoke was aborted, and so is its folder', async () => {
  await using world = await arena()
  const controller = new AbortController()
  const options = fixture('hangs', world, { processTimeoutMs: 60_000, signal: controller.signal })
  const run = runLoaderSmoke(options).catch((error: unknown) => error)
  const pid = await waitFor('the bin to run', () => {
    const cwd = world.entries().find((name) => !name.startsWith('.')) ?? ''
    return Number(readFileSync(join(world.path, cwd, 'pid'), 'utf8')) || undefined
  })
  expect(processesWith(program('hangs')).map((entry) => entry.pid)).toContain(pid)
  const reason = new Error('enough')
  controller.abort(reason)
  expect(await run).toBe(reason)
  expect(processesWith(world.path)).toEqual([])
  expect(world.entries()).toEqual([])
})

test('an abort before the start starts nothing', async () => {
  await using world = await arena()
  const reason = new Error('never mind')
  const prepared: string[] = []
  const options = fixture('exits', world, {
    signal: AbortSignal.abort(reason),
    prepare: (cwd) => void prepared.push(cwd),
  })
  await expect(runLoaderSmoke(options)).rejects.toBe(reason)
  expect(prepared).toEqual([])
  const without = { ...options, libBinScript: '/not/there.js' }
  await expect(runLoaderSmoke(without), 'nothing was looked for').rejects.toBe(reason)
})

test('an abort does not wait for a prepare that never ends', async () => {
  await using world = await arena()
  const controller = new AbortController()
  const options = fixture('exits', world, {
    signal: controller.signal,
    prepare() {
      controller.abort()
      return new Promise<never>(() => {})
    },
  })
  const thrown = await runLoaderSmoke(options).catch((error: unknown) => error)
  expect(thrown).toBe(controller.signal.reason)
  expect(world.entries()).toEqual([])
})

test.each(['stdout', 'stderr'])('ends a run that floods %s, and keeps head and tail', async (stream) => {
  await using world = await arena()
  const error = await errorOf(fixture('floods', world, { binArgs: [stream], maxOutputBytes: 2_000_000, graceMs: 0 }))
  expect(error.message.startsWith(`floods wrote more than 2000000 bytes to ${stream}. stdout:\n`)).toBe(true)
  expect(error.message).toContain(`\nNext: see what repeats in ${stream}, or allow more with maxOutputBytes.\n`)
  expect(error.message).toMatch(/\n\[\.\.\. \d+ of \d+ bytes left out \.\.\.\]\n/)
  expect(error.message.length).toBeLessThan(80_000)
})

test('names and ends what outlives the bin, and fails only when asked to', async () => {
  await using world = await arena()
  const { survivors } = await runLoaderSmoke(fixture('leaves-a-child', world))
  expect(survivors).toEqual([{ pid: expect.any(Number), command: expect.stringContaining('setInterval') }])
  expect(processesWith(world.path)).toEqual([])
  const { message } = await errorOf(fixture('leaves-a-child', world, { onSurvivors: 'fail' }))
  expect(message).toMatch(
    /^leaves-a-child left 1 processes behind\.\n {2}\d+ \S+ -e setInterval\(\(\) => \{\}, 60_000\)\nstdout:\n/,
  )
})

test('expected files are looked at in the world, and not through a link out of it', async () => {
  await using world = await arena()
  const files = [
    { path: 'done.txt', content: /^all done$/ },
    { path: 'absent.txt', present: false },
    { path: 'read-only/deeper/file' },
  ]
  await runLoaderSmoke(fixture('writes-files', world, { expect: { files } }))
  const wrong = [
    { path: 'done.txt', content: 'nothing' },
    { path: 'done.txt/below' },
    { path: 'folder' },
    { path: 'out-of-the-world' },
  ]
  const { verdict } = await errorOf(fixture('writes-files', world, { expect: { files: wrong } }))
  expect(verdict.kind === 'fail' && verdict.failed.map(({ line }) => line)).toEqual([
    'left "done.txt" without "nothing" in it.',
    'left no file "done.txt/below" in its world (expected one).',
    'left "folder" as no regular file (expected a file).',
    'left "out-of-the-world" as a link that leads out of its world (expected a file).',
  ])
})

test('a prepare that rejects starts nothing, and the world is gone', async () => {
  await using world = await arena()
  const cause = new Error('no network')
  const seen: string[] = []
  const error = await errorOf(
    fixture('exits', world, {
      prepare(cwd) {
        seen.push(cwd)
        throw cause
      },
    }),
  )
  expect(withoutRerun(error.message)).toBe('exits prepare failed: no network')
  expect(error.verdict).toEqual({
    kind: 'error',
    stage: 'prepare',
    message: 'exits prepare failed: no network',
    facts: null,
    cause,
  })
  expect(error.cause).toBe(cause)
  expect(existsSync(seen[0] ?? '')).toBe(false)
})

test('an inspect that rejects fails the smoke with its error as cause, and the world is gone', async () => {
  await using world = await arena()
  const cause = new Error('expected a file')
  const seen: string[] = []
  const error = await errorOf(
    fixture('exits', world, {
      binArgs: [],
      async inspect(cwd) {
        seen.push(...readdirSync(cwd).toSorted())
        await Promise.reject(cause)
      },
    }),
  )
  expect(error.message.startsWith('exits inspect failed: expected a file\nstdout:\nout\n\nstderr:\nerr\n')).toBe(true)
  expect(error.cause).toBe(cause)
  expect(error.verdict.kind).toBe('fail')
  expect(seen).toEqual(['.agents', '.dsh'])
  expect(world.entries()).toEqual([])
})

test('inspect is not called after another end than expected', async () => {
  await using world = await arena()
  const calls: string[] = []
  await errorOf(fixture('exits', world, { binArgs: ['1'], inspect: (cwd) => void calls.push(cwd) }))
  expect(calls).toEqual([])
})

test('the folder of a failed run is kept on request, and named', async () => {
  await using folder = await tempWorkspace()
  const error = await errorOf(fixture('exits', folder, { binArgs: ['1'], keepWorld: 'on-failure' }))
  const kept = /^The world was kept: (.+)$/m.exec(error.message)?.[1] ?? ''
  expect(readdirSync(kept).toSorted()).toEqual(['.agents', '.dsh'])
})

test('secrets of the environment are masked in the message and whole in the verdict', async () => {
  await using world = await arena()
  const error = await errorOf(
    fixture('says-where-it-is', world, {
      env: { SOME_API_KEY: 'sk-very-secret' },
      binArgs: ['id-4711'],
      redact: [/id-\d+/],
      expectedExitCode: 1,
    }),
  )
  expect(error.message).not.toContain('sk-very-secret')
  expect(error.message).not.toContain('id-4711')
  expect(error.message).toContain('"SOME_API_KEY":"[redacted]"')
  expect(error.verdict.kind === 'fail' && error.verdict.facts.stdout.text).toContain('sk-very-secret')
  expect(JSON.stringify({ ...error })).not.toContain('sk-very-secret')
})

test('the last line runs the bin again in a shell, and it fails in the same way', async () => {
  await using world = await arena()
  const error = await errorOf(fixture('exits', world, { binArgs: ['7', "it's"], env: { A: 'a b' } }))
  const line = error.message.split('\n').at(-1) ?? ''
  expect(line).toBe(
    `Run it again: (w=$(mktemp -d) && mkdir -p "$w"/.dsh "$w"/.agents && cd "$w" && ` +
      `DSH_HOME="$w"/.dsh DSH_AGENTS_HOME="$w"/.agents DSH_EXAMPLE_MODE=lib A='a b' ` +
      `${process.execPath} ${program('exits')} 7 'it'\\''s' </dev/null)`,
  )
  const env = { PATH: process.env['PATH'], TMPDIR: world.path }
  const again = spawnSync('sh', ['-c', line.replace('Run it again: ', '')], { env, encoding: 'utf8' })
  expect(again).toMatchObject({ status: 7, stdout: 'out\n', stderr: 'err\n' })
  for (const entry of world.entries()) rmSync(join(world.path, entry), { recursive: true })
})

test('an abort tells where it kept the world, since its reason can’t', async () => {
  await using folder = await tempWorkspace()
  const controller = new AbortController()
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const options = fixture('exits', folder, { keepWorld: 'always', signal: controller.signal })
  const prepare = () => controller.abort()
  const thrown = await runLoaderSmoke({ ...options, prepare }).catch((error: unknown) => error)
  const text = said.mock.calls.map(([chunk]) => chunk).join('')
  said.mockRestore()
  expect(thrown).toBe(controller.signal.reason)
  const [, world] = readdirSync(folder.path).toSorted()
  expect(text).toBe(`exits: the world was kept: ${folder.file(world ?? '')}\n`)
})

test('three failures at once: the first reason stands, both of the clean-up are told after it', async () => {
  await using folder = await tempWorkspace()
  const error = await errorOf(
    fixture('exits', folder, {
      binArgs: ['1'],
      services: [{ name: 'model', start: () => ({ stop: () => Promise.reject(new Error('port in use')) }) }],
      prepare(cwd) {
        // A folder that is not empty stands where the world would be moved to.
        mkdirSync(`${cwd}.sweeping/in-the-way`, { recursive: true })
      },
    }),
  )
  expect(error.message).toMatch(/^exits exited 1 \(expected 0\)\. stdout:\n/)
  expect(error.message).toMatch(
    /\nAfter that, exits: service model did not stop: port in use\n\S+ can't be removed: ENOTEMPTY.*\nNext: see which process still writes there, then remove it by hand\.\n/,
  )
})

test('two failures at once: the first reason stands, the clean-up is told after it', async () => {
  await using world = await arena()
  const stuck = new Error('port in use')
  const stop = () => Promise.reject(stuck)
  const error = await errorOf(
    fixture('exits', world, { binArgs: ['1'], services: [{ name: 'model', start: () => ({ stop }) }] }),
  )
  expect(withoutRerun(error.message)).toBe(
    'exits exited 1 (expected 0). stdout:\nout\n\nstderr:\nerr\n\nAfter that, exits: service model did not stop: port in use',
  )
  expect(error).toBeInstanceOf(SmokeError)
})
