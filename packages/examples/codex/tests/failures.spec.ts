/** Each way in which a Codex app fails, through the harness with the real CLI: the reason that a person reads, whole. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { LOADER_SMOKE_TEST_TIMEOUT_MS, runLoaderSmoke, SmokeError } from '@loader-smoke/harness'
import type { ScriptObject } from '@loader-smoke/model-replay'
import { assertNothingLeft, processesWith, type TempWorkspace, tempWorkspace, waitFor } from '@loader-smoke/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { build, inExample, smoke } from './smoke-options.ts'

beforeAll(build, 120_000)

interface Case {
  readonly script: ScriptObject
  readonly env?: Readonly<Record<string, string>>
  readonly options?: { readonly processTimeoutMs: number }
  /** Runs beside the smoke. */
  meanwhile?(world: string): Promise<void>
}

/** What the app says on standard error, and what the harness says of it; null when it passed. */
interface Said {
  readonly stderr: string
  readonly failed: readonly string[] | null
}

async function play({ script, env = {}, options, meanwhile }: Case): Promise<Said> {
  await using parent = await tempWorkspace({ 'script.json': JSON.stringify(script) }, 'codex-case-')
  const config = inExample('tests/fixtures/case.yml')
  const beside: Promise<void>[] = []
  try {
    const { stderr } = await runLoaderSmoke({
      ...smoke,
      ...options,
      mode: 'lib',
      configPath: config,
      binArgs: [config, 'Do it.'],
      env: { ...smoke.env, CASE_SCRIPT: parent.file('script.json'), ...env },
      tempDirParent: parent.path,
      prepare: (cwd) => void (meanwhile && beside.push(meanwhile(cwd))),
    })
    return { stderr: withoutChance(stderr), failed: null }
  } catch (error) {
    if (!(error instanceof SmokeError) || error.verdict.kind !== 'fail') throw error
    await Promise.all(beside)
    const stderr = error.verdict.facts.stderr.text
    // The streams stand between the first line and the rest; they are judged by themselves.
    const { message } = error
    const first = message.slice(0, message.indexOf(' stdout:'))
    const rest = message.slice(message.indexOf(`\nstderr:\n${stderr}`) + `\nstderr:\n${stderr}`.length)
    const lines = [first, ...rest.split('\n')].filter((line) => line !== '' && !line.startsWith('Run it again: '))
    return { stderr: withoutChance(stderr), failed: lines.map(withoutChance) }
  } finally {
    await assertNothingLeft(parent.path)
  }
}

/** Without ports, process ids, folders and the lines of stacks. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>')
    .replaceAll(/\S+\/script\.json/g, '<script>')
    .replaceAll(/\(node:\d+\)/g, '(node:<pid>)')
    .replaceAll(/^ {4}at .*\n/gm, '')
}

/** A run that fails in the turn, with `reason` on standard error and in the harness' message. */
function failsWith(reason: string): Said {
  return {
    stderr: `root agent failed: ${reason}\n`,
    failed: ['example-codex exited 1 (expected 0).', `example-codex root agent failed: ${reason}`],
  }
}

const answers: ScriptObject = { turns: [{ text: 'Hi', usage: { inputTokens: 1, outputTokens: 1 } }] }

/** A command that tells that it runs, and then goes on for longer than anyone waits. */
const longCommand = {
  turns: [{ toolCalls: [{ name: 'exec_command', arguments: { cmd: 'touch started.txt; sleep 300' } }] }],
} satisfies ScriptObject

const started = (world: string) =>
  waitFor('the command', () => existsSync(join(world, 'started.txt')), { deadlineMs: 20_000 })

describe('the smoke of a Codex app', { timeout: LOADER_SMOKE_TEST_TIMEOUT_MS }, () => {
  it('fails when the CLI is missing', async () => {
    expect(await play({ script: answers, env: { CASE_PROGRAMS: ',', PATH: '/usr/bin:/bin' } })).toEqual({
      stderr:
        'example-codex: plugin tree failed to load: example-codex: 1 entry did not activate\n' +
        '@loader-smoke/agent-host: CodexError: the codex CLI could not be started: codex is not on the PATH, nor in a node_modules/.bin of the app. Next: install it, or add its folder to PATH.\n',
      failed: ['example-codex exited 1 (expected 0).', 'example-codex drove no turn (expected one).'],
    })
  })

  it('fails when an option has a value that the agent does not know', async () => {
    const { stderr } = await play({ script: answers, env: { CASE_MODE: 'everything' } })
    expect(stderr).toBe(
      'example-codex: plugin tree failed to load: example-codex: 1 entry did not activate\n' +
        '@loader-smoke/agent-host: Error: option permission_mode is "everything" (expected one of: read_only, ask, auto_edits, auto, full)\n',
    )
  })

  it('warns with both versions when the CLI is outside the tested range, and passes when it works all the same', async () => {
    const env = { CASE_PROGRAMS: inExample('tests/fixtures/other-version') }
    expect(await play({ script: answers, env })).toEqual({
      stderr:
        '(node:<pid>) AgentWarning: the Codex CLI is version 0.999.0; this agent was tested with 0.171.0, so something may work differently\n' +
        '(Use `node --trace-warnings ...` to show where the warning was created)\n',
      failed: null,
    })
  })

  it.each([
    [401, 'unexpected status 401 Unauthorized: Unauthorized, url: http://127.0.0.1:<port>/v1/responses'],
    [429, 'exceeded retry limit, last status: 429 Too Many Requests'],
    [500, 'We’re currently experiencing high demand, which may cause temporary errors. (internalServerError)'],
  ])('fails when the model server answers %i', async (status, reason) => {
    const script: ScriptObject = { turns: [{ error: { status }, times: 'any' }] }
    expect(await play({ script })).toEqual(failsWith(`RUN_FAILED: ${reason}`))
  })

  it('fails when the model server cuts the stream each time', async () => {
    const script: ScriptObject = { turns: [{ text: 'Hello there', fault: 'cut', times: 'any' }] }
    const reason = 'stream disconnected before completion: Transport error: network error: error decoding response body'
    expect(await play({ script })).toEqual(failsWith(`RUN_FAILED: ${reason}`))
  })

  it('fails when the model asks for what the script does not expect', async () => {
    const script: ScriptObject = { turns: [{ expect: { user: 'something else' }, text: 'Hi' }] }
    const { failed } = await play({ script })
    const why = [
      expect.stringMatching(/^Came: responses request, model "gpt-5\.5", .* user says "Do it\.", tools exec_command, /),
      expect.stringMatching(/^Expected: .*"turn 1" .* where user contains "something else"$/),
      expect.stringMatching(/^Nearest: .*; expected user contains "something else", but user is "Do it\."\.$/),
      'Next: correct match and expect of the conversation, or find out why the app asks this.',
    ]
    expect(failed).toEqual([
      'example-codex exited 1 (expected 0).',
      'example-codex root agent failed: RUN_FAILED: model-replay: no turn of <script> fits this request.',
      ...why,
      'example-codex service model: request 1 (POST /v1/responses) was refused with 400: no turn of <script> fits this request.',
      ...why,
    ])
  })

  it('fails when an approval is denied, with what was asked and how to allow it', async () => {
    const call = {
      cmd: 'touch outside.txt',
      sandbox_permissions: 'require_escalated',
      justification: 'I would like to',
    }
    const script: ScriptObject = {
      turns: [{ toolCalls: [{ name: 'exec_command', arguments: call, id: 'call_1' }] }],
    }
    expect(await play({ script })).toEqual(
      failsWith(
        'APPROVAL_DENIED: the agent asked for permission (Run a command for execute call call_1) and was refused, because approvals is ' +
          "'deny'. Next: set `approvals: allow` of agent-host in the config, or give the agent a permission mode in which it doesn't have " +
          "to ask; the call itself is in the session's log.",
      ),
    )
  })

  it('fails when the turn is interrupted, and the running command is gone', async () => {
    expect(await play({ script: longCommand, env: { CASE_CANCEL: 'yes' } })).toEqual(
      failsWith('the turn was aborted (user)'),
    )
  })

  it('fails at once when the app-server is killed mid-turn', async () => {
    const said = play({
      script: longCommand,
      async meanwhile(world) {
        await started(world)
        killAppServer(world)
      },
    })
    expect(await said).toEqual(failsWith('RUN_FAILED: the codex app-server exited'))
  })

  it('fails when the deadline passes, and the app takes the running command along', async () => {
    // Whether the turn's own failure is still reported depends on who ends first, the app or its app-server.
    const { stderr, failed } = await play({ script: longCommand, options: { processTimeoutMs: 4_000 } })
    expect([stderr, failed?.[0]]).toEqual(['', 'example-codex did not exit within 4s.'])
  })

  it('goes on with the conversation on a new app-server after one was killed', async () => {
    const script: ScriptObject = {
      turns: [...longCommand.turns, { expect: { user: 'second', firstUser: 'first' }, text: 'Here I am again.' }],
    }
    await using world = await tempWorkspace({ 'script.json': JSON.stringify(script) })
    const app = startApp(world, 'tests/fixtures/two-turns.mjs')
    await started(world.path)
    killAppServer(world.path)
    expect(
      (await text(app.stdout))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(['root agent failed: RUN_FAILED: the codex app-server exited', 'Here I am again.'])
    await assertNothingLeft(world.path)
  })

  it('leaves no process of Codex when the app is killed', async () => {
    await using world = await tempWorkspace({ 'script.json': JSON.stringify(longCommand) })
    const app = startApp(world, 'lib/bin.js')
    await started(world.path)
    expect(processesWith(world.path).length).toBeGreaterThan(2)
    app.kill('SIGKILL')
    // Gone after about 90 ms; the bound is ten times the second that is promised.
    await assertNothingLeft(world.path, undefined, 10_000)
  })
})

/** Starts the app by itself, without the harness. */
function startApp(world: TempWorkspace, program: string) {
  return spawn(process.execPath, [inExample(program), inExample('tests/fixtures/case.yml'), 'Do it.'], {
    cwd: world.path,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DSH_HOME: world.file('.dsh'),
      CODEX_HOME: world.file('.codex'),
      CASE_SCRIPT: world.file('script.json'),
    },
  })
}

function killAppServer(world: string): void {
  const [native] = processesWith(world).filter(({ command }) => command.endsWith('/bin/codex app-server'))
  if (native === undefined) throw new Error('there is no app-server')
  process.kill(native.pid, 'SIGKILL')
}
