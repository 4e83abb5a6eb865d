/** A whole config instead of a profile: the same checks. */
import { LOADER_SMOKE_TEST_TIMEOUT_MS, runLoaderSmoke, SmokeError } from '@loader-smoke/harness'
import { beforeAll, describe, expect, test } from 'vitest'
import { build, MODEL_OVERLAY, type Scratch, scratch, smokeOf } from './scratch.ts'

beforeAll(build, 120_000)

const BIN = `import { bootConfig } from '@loader-smoke/profile'
import { runFixtureTurn } from '@loader-smoke/turn'

const [configPath, ...overlayPaths] = process.argv.slice(2)
try {
  const ctx = await bootConfig({ binName: 'scratch', configPath, overlayPaths })
  try {
    console.log(JSON.stringify(await runFixtureTurn(ctx, { task: 'Run the command.' })))
  } finally {
    await ctx.fiber.dispose()
  }
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
`

const CONFIG = `- { id: llm, name: '@deepseek-ai/dsh-llm' }
- { id: llm-deepseek, name: '@deepseek-ai/dsh-llm-deepseek' }
- { id: system-prompt, name: '@deepseek-ai/dsh-system-prompt' }
- { id: sessions, name: '@deepseek-ai/dsh-session' }
- { id: tools, name: '@deepseek-ai/dsh-tools' }
- { id: agents, name: '@deepseek-ai/dsh-agent' }
- id: agent-loop
  name: '@deepseek-ai/dsh-agent-loop'
  config: { agents: [{ id: main, provider: deepseek-official, model: deepseek-v4-flash }] }
`

const MODEL = MODEL_OVERLAY.replace(/turns:\n(?: {12}.*\n)+/, 'turns: [{ text: Hello. }]\n')

async function app(files: Readonly<Record<string, string>> = {}): Promise<Scratch> {
  return scratch({
    'app/src/bin.ts': BIN,
    'app/lib/bin.js': BIN,
    'app/cordis.yml': CONFIG,
    'app/smoke/model.patch.yml': MODEL,
    ...files,
  })
}

const smoke = (installation: Scratch, mode: 'src' | 'lib') => ({
  ...smokeOf(installation, mode, []),
  binArgs: [installation.workspace.file('app', 'cordis.yml'), installation.overlay('model.patch.yml')],
})

describe.each(['src', 'lib'] as const)('in mode %s', { timeout: LOADER_SMOKE_TEST_TIMEOUT_MS }, (mode) => {
  test('boots a config with an overlay and runs a turn', async () => {
    await using installation = await app()
    const { turns } = await runLoaderSmoke({ ...smoke(installation, mode), turn: 'required' })
    expect(turns).toMatchObject([{ output: 'Hello.' }])
  })

  test.each([
    [
      'a patch that matches nothing',
      { 'app/smoke/model.patch.yml': MODEL.replace('id: llm-deepseek', 'id: llm-deepsek') },
      `scratch: overlay <app>/smoke/model.patch.yml, patch 2 is for the entry "llm-deepsek", which the layers below it don't have. Nearest: "llm-deepseek".
Next: correct the id, or name it in allowUnmatched; config <app>/cordis.yml has at that place: llm, llm-deepseek, system-prompt, sessions, tools, agents, agent-loop, model-replay.
`,
    ],
    [
      'an unknown key in the config itself',
      { 'app/cordis.yml': CONFIG.replace('config: { agents', 'config: { agnts: [], agents') },
      `scratch: config <app>/cordis.yml gives the entry "agent-loop" ('@deepseek-ai/dsh-agent-loop') the config key "agnts", which its plugin doesn't know. Nearest: "agents".
Next: correct the key; at that place the plugin knows maxParallelToolCalls, agents.
`,
    ],
    [
      'a plugin that is not installed',
      { 'app/cordis.yml': `${CONFIG}- { id: more, name: agent-bundel }\n` },
      `scratch: the entry "more" named the plugin 'agent-bundel', which was not found. Looked from: <app>. Nearest: "agent-bundle".
Next: correct the name, or add the package to the dependencies in <app>/package.json (for a plugin of an overlay: of the package the overlay is in) and install.
`,
    ],
    [
      'a config that is no list',
      { 'app/cordis.yml': 'agents: []\n' },
      `scratch: config <app>/cordis.yml must be a top-level YAML array of entries
Next: put right the file named above.
`,
    ],
  ])('tells %s', async (_, files, says) => {
    await using installation = await app(files)
    const error = await runLoaderSmoke(smoke(installation, mode)).catch((reason: unknown) => reason)
    if (!(error instanceof SmokeError) || error.verdict.kind !== 'fail') throw error
    expect(error.verdict.facts.stderr.text.replaceAll(installation.workspace.file('app'), '<app>')).toBe(says)
  })
})
