/** Mistakes in a profile or an overlay, from a real bin: each fails, and the whole of what a person reads is here. */
import { pathToFileURL } from 'node:url'
import { LOADER_SMOKE_TEST_TIMEOUT_MS, runLoaderSmoke, SmokeError } from '@loader-smoke/harness'
import { beforeAll, describe, expect, test } from 'vitest'
import { build, MODEL_OVERLAY, type Scratch, scratch, smokeOf } from './scratch.ts'

beforeAll(build, 120_000)

/** A mistake: files of the installation, options of the boot beside the two overlays, and what must be read. */
interface Mistake {
  readonly files?: Readonly<Record<string, string>>
  readonly options?: Readonly<Record<string, unknown>>
  readonly overlays?: readonly string[]
  readonly says: string
}

const BELOW_MODEL =
  'llm, llm-deepseek, system-prompt, sessions, tools, agents, agent-loop, persistence, subprocess, bash, shell-env, tool-bash, model-replay'

const six: Readonly<Record<string, Mistake>> = {
  'an unknown id': {
    files: { 'app/smoke/model.patch.yml': MODEL_OVERLAY.replace('id: llm-deepseek', 'id: llm-deepsek') },
    says: `scratch: overlay <app>/smoke/model.patch.yml, patch 2 is for the entry "llm-deepsek", which the layers below it don't have. Nearest: "llm-deepseek".
Next: correct the id, or name it in allowUnmatched; profile "scratch" has at that place: ${BELOW_MODEL}.
`,
  },
  'a wrong name': {
    files: {
      'app/smoke/model.patch.yml': MODEL_OVERLAY.replace(
        'id: llm-deepseek\n',
        "id: llm-deepseek\n  name: '@deepseek-ai/dsh-llm-deepsek'\n",
      ),
    },
    says: `scratch: overlay <app>/smoke/model.patch.yml, patch 2 takes the entry "llm-deepseek" for '@deepseek-ai/dsh-llm-deepsek', and it is '@deepseek-ai/dsh-llm-deepseek'. Nearest: "@deepseek-ai/dsh-llm-deepseek".
Next: correct the name or the id, or leave the name out.
`,
  },
  'an unknown config key': {
    files: { 'app/smoke/model.patch.yml': MODEL_OVERLAY.replace('thinking: disabled', 'thinkin: disabled') },
    says: `scratch: overlay <app>/smoke/model.patch.yml gives the entry "llm-deepseek" ('@deepseek-ai/dsh-llm-deepseek') the config key "thinkin", which its plugin doesn't know. Nearest: "thinking".
Next: correct the key; at that place the plugin knows apiKeyEnv, baseURL, thinking, reasoningEffort, maxTokens, defaultContextWindow, models, streamIdleTimeoutMs, maxRequestImageBytes, retryPolicy.
`,
  },
  'a missing bundle': {
    options: { bundles: ['agent-bundle', 'shel-bundle'] },
    says: `scratch: profile "scratch" lists the bundle "shel-bundle", which is installed neither for <app> nor for <world>/.dsh/profiles/scratch. Nearest: "shell-bundle", "agent-bundle".
Next: add it to the dependencies in <app>/package.json and install, or correct dsh.profile.bundles in <world>/.dsh/profiles/scratch/package.json.
`,
  },
  'an overlay that is not named as one': {
    overlays: ['model.yml'],
    says: `scratch: overlay <app>/smoke/model.yml is not named *.patch.yml, which tells a list of patches from a config.
Next: rename it to <app>/smoke/model.patch.yml if it is a list of patches; a whole config is booted with boot() instead.
`,
  },
  'a bare plugin that is not installed': {
    files: { 'app/smoke/paths.patch.yml': '- insert: [{ id: hello, name: shell-bundel }]\n' },
    says: `scratch: the entry "hello" named the plugin 'shell-bundel', which was not found. Looked from: <world>/.dsh/profiles/scratch; <app>/smoke/paths.patch.yml. Nearest: "shell-bundle".
Next: correct the name, or add the package to the dependencies in <app>/package.json (for a plugin of an overlay: of the package the overlay is in) and install.
`,
  },
}

/** What the bin wrote to standard error, with the folders of this run as placeholders. */
async function stderrOf(installation: Scratch, mode: 'src' | 'lib', { options, overlays }: Mistake): Promise<string> {
  let world = ''
  const names = overlays ?? ['model.patch.yml', 'paths.patch.yml']
  const smoke = smokeOf(installation, mode, names.map(installation.overlay), options)
  const { prepare } = smoke
  try {
    await runLoaderSmoke({
      ...smoke,
      prepare(cwd) {
        world = cwd
        return prepare?.(cwd)
      },
    })
  } catch (error) {
    if (!(error instanceof SmokeError) || error.verdict.kind !== 'fail' || error.verdict.facts.exitCode !== 1)
      throw error
    return error.verdict.facts.stderr.text
      .replaceAll(world, '<world>')
      .replaceAll(pathToFileURL(installation.workspace.file('app')).href, '<url>')
      .replaceAll(installation.workspace.file('app'), '<app>')
  }
  throw new Error('the smoke passed')
}

const others: Readonly<Record<string, Mistake>> = {
  'a plugin whose start never ends, and nothing is left to do': {
    files: {
      'app/smoke/paths.patch.yml': '- insert: [{ id: slow, name: ./slow.mjs }, { id: next, name: ./next.mjs }]\n',
      'app/smoke/slow.mjs': "export const name = 'slow'\nexport const apply = () => new Promise(() => {})\n",
      'app/smoke/next.mjs':
        "export const name = 'next'\nexport const inject = ['slowness']\nexport const apply = () => {}\n",
    },
    overlays: ['paths.patch.yml'],
    says: `scratch: profile "scratch" did not settle and nothing is left that could go on.
- "slow" ('<url>/smoke/slow.mjs'): its start has not finished
- "next" ('<url>/smoke/next.mjs'): waits for the service slowness
Next: let each start end (no await on what only comes later), and add a provider for each service that is waited for.
`,
  },
  'a plugin whose module never finishes loading while a timer goes on': {
    files: {
      'app/smoke/paths.patch.yml': '- insert: [{ id: slow, name: ./slow.mjs }]\n',
      'app/smoke/slow.mjs': 'setInterval(() => {}, 1000)\nawait new Promise(() => {})\n',
    },
    options: { settleTimeoutMs: 1_500 },
    says: `scratch: profile "scratch" did not settle within 1.5s.
- "slow" ('<url>/smoke/slow.mjs'): its module has not finished loading (an await at its top level, or of a module it imports)
Next: let each start end (no await on what only comes later), and add a provider for each service that is waited for.
`,
  },
  'a service that nobody provides': {
    files: {
      'app/smoke/paths.patch.yml': '- insert: [{ id: next, name: ./next.mjs }]\n',
      'app/smoke/next.mjs':
        "export const name = 'next'\nexport const inject = ['slowness']\nexport const apply = () => {}\n",
    },
    says: `scratch: plugin tree failed to load: 1 entry did not activate
<url>/smoke/next.mjs: pending (waiting for service: slowness)
Next: put right the entry named above, in the layer that configures it; a service that is waited for needs an entry that provides it.
`,
  },
  'several mistakes at once': {
    files: {
      'app/smoke/paths.patch.yml': `- id: tool-bsh
  config: {}
- id: bash
  confg: {}
- insert: [{ id: bash, name: './greets.mjs' }]
- config: {}
- { id: bash, insert: [] }
`,
    },
    says: `scratch: overlay <app>/smoke/paths.patch.yml, patch 1 is for the entry "tool-bsh", which the layers below it don't have. Nearest: "tool-bash".
Next: correct the id, or name it in allowUnmatched; profile "scratch" has at that place: ${BELOW_MODEL}.
scratch: overlay <app>/smoke/paths.patch.yml, patch 2 (for "bash") has the key "confg", which no patch has. Nearest: "config".
Next: use one of id, insert, name, config, group, disabled, inject, intercept, isolate; settings of the plugin go into config.
scratch: overlay <app>/smoke/paths.patch.yml, patch 3 inserts the entry "bash", and there is one of that id.
Next: patch that entry by its id, or give the new one an id of its own.
scratch: overlay <app>/smoke/paths.patch.yml, patch 4 has neither an id nor an insert, so it patches nothing.
Next: give the id of the entry it is for.
scratch: overlay <app>/smoke/paths.patch.yml, patch 5 inserts into the entry "bash" ('@deepseek-ai/dsh-bash-local'), which is not a group.
Next: leave the id out to insert at the top, or name a group.
`,
  },
  'a patch of an include inside of the profile': {
    files: {
      'app/smoke/paths.patch.yml': `- insert:
    - id: more
      name: cordis:include
      config:
        path: ./more.yml
        initial: [{ id: greets, name: 'cordis:group', group: true, config: [] }]
        patches: [{ id: greet, disabled: true }]
`,
    },
    says: `scratch: an include inside of profile "scratch" skipped a patch: patch: entry "greet" not found. Nearest: "greets".
Next: correct the id or the name in the include's patches.
`,
  },
  'a profile that is neither shipped nor there': {
    options: { profile: 'headles' },
    says: `scratch: there is no profile "headles": it is not shipped, and <world>/.dsh/profiles/headles/package.json is not there. Nearest: "headless".
Next: name a shipped profile (web, headless), or write the profile into <world>/.dsh in the smoke's prepare.
`,
  },
}

describe.each(['src', 'lib'] as const)('in mode %s', { timeout: LOADER_SMOKE_TEST_TIMEOUT_MS }, (mode) => {
  test.each(Object.entries({ ...six, ...others }))('tells %s', async (_, mistake) => {
    await using installation = await scratch(mistake.files)
    expect(await stderrOf(installation, mode, mistake)).toBe(mistake.says)
  })
})
