/** A run with a sub-agent, stored as the app stores it, becomes a script; the app with that script does the same again. */
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LOADER_SMOKE_TEST_TIMEOUT_MS, type LoaderSmokeResult, runLoaderSmoke } from '@loader-smoke/harness'
import { type ScriptObject, scriptFromSessions, startReplayServer } from '@loader-smoke/model-replay'
import { beforeAll, expect, test } from 'vitest'
import { build, type Scratch, scratch, smokeOf } from './scratch.ts'

beforeAll(build, 120_000)

/** Points the provider at the model server of the test, and gives the agent sub-agents. */
const SUBAGENTS = `- { id: llm-deepseek, config: { thinking: disabled } }
- insert:
    - { id: jobs, name: '@deepseek-ai/dsh-jobs-local' }
    - { id: session-projection, name: '@deepseek-ai/dsh-session-projection' }
    - { id: subagent, name: '@deepseek-ai/dsh-subagent' }
    - { id: spawn, name: '@deepseek-ai/dsh-subagent-spawn-in-process', config: { providerName: spawn } }
    - id: tool-subagent
      name: '@deepseek-ai/dsh-tool-subagent'
      config: { provider: spawn, toolName: subagent, enableRunInBackground: false }
`

const ask = (prompt: string) => ({ name: 'subagent', arguments: { description: prompt.slice(0, 9), prompt } })
const shell = (command: string) => ({ name: 'bash', arguments: { command, description: 'Run it' } })

/** What the model said when the conversation was recorded; two sub-agents, one of them asked the same twice. */
const RECORDED: ScriptObject = {
  conversations: [
    {
      name: 'root',
      match: { firstUser: 'Run the command.' },
      turns: [
        {
          reasoning: 'Others know.',
          toolCalls: [ask('Scout: add 3 and 4.')],
          usage: { inputTokens: 90, outputTokens: 9 },
        },
        {
          toolCalls: [ask('Scout: add 3 and 4.')],
          usage: { inputTokens: 120, outputTokens: 9, cachedInputTokens: 64 },
        },
        { toolCalls: [shell(String.raw`echo "\{{literal}}" > total.txt`)] },
        { text: 'Twice seven.', usage: { inputTokens: 150, outputTokens: 4 } },
      ],
    },
    ...['first', 'second'].map((which) => ({
      name: which,
      match: { firstUser: 'Scout' },
      turns: [
        { toolCalls: [shell(`expr 3 + 4 | tee -a ${which}.txt`)], usage: { inputTokens: 20, outputTokens: 3 } },
        { text: `Seven, says the ${which}.`, usage: { inputTokens: 30, outputTokens: 5 } },
      ],
    })),
  ],
}

interface Run {
  readonly turns: LoaderSmokeResult['turns']
  readonly files: Readonly<Record<string, string>>
}

async function runWith(installation: Scratch, script: ScriptObject, sessions?: string): Promise<Run> {
  await using model = await startReplayServer({ script })
  const smoke = smokeOf(installation, 'lib', [installation.overlay('subagents.patch.yml')])
  const files: Record<string, string> = {}
  const { turns } = await runLoaderSmoke({
    ...smoke,
    turn: 'required',
    env: { ...smoke.env, DEEPSEEK_BASE_URL: model.url },
    async inspect(cwd) {
      if (sessions !== undefined) await cp(join(cwd, '.dsh', 'sessions'), sessions, { recursive: true })
      for (const name of ['total', 'first', 'second']) files[name] = await readFile(join(cwd, `${name}.txt`), 'utf8')
    },
  })
  model.assertConsumed()
  return { turns: turns.map((turn) => ({ ...turn, sessionId: '' })), files }
}

test(
  'a stored conversation with sub-agents replays to the same answers, tokens and files',
  { timeout: 2 * LOADER_SMOKE_TEST_TIMEOUT_MS },
  async () => {
    await using installation = await scratch({ 'app/smoke/subagents.patch.yml': SUBAGENTS })
    const sessions = installation.workspace.file('sessions')
    const recorded = await runWith(installation, RECORDED, sessions)
    expect(recorded).toMatchObject({
      turns: [{ output: 'Twice seven.', usage: { inputTokens: 296, outputTokens: 22, cacheReadTokens: 64 } }],
      files: { total: '{{literal}}\n', first: '7\n', second: '7\n' },
    })

    // The app stores its sessions compressed unless told otherwise.
    const { script, notes } = await scriptFromSessions([sessions])
    expect(notes).toEqual([])
    expect(script.conversations).toHaveLength(3)
    expect(await runWith(installation, script)).toEqual(recorded)

    const exact = await scriptFromSessions([sessions], { exactResults: true })
    expect(await runWith(installation, exact.script)).toEqual(recorded)
  },
)
