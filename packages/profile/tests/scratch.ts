/** A scratch installation with a profile of two bundles and two overlays, on the real packages, and the smoke that boots it. */
import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { LoaderSmokeOptions } from '@loader-smoke/harness'
import { type TempWorkspace, tempWorkspace } from '@loader-smoke/testkit'

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Builds the package and what it needs; nothing happens when the output is current. */
export async function build(): Promise<void> {
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
  const projects = [fromHere('..'), fromHere('../../model-replay')]
  await promisify(execFile)(process.execPath, [join(typescript, 'bin', 'tsc'), '-b', ...projects])
}

/** Boots the profile that its arguments name, gives the agent one task, and prints the ids of the entries and the envelope. */
const BIN = `import { fileURLToPath } from 'node:url'
import { bootProfile } from '@loader-smoke/profile'
import { runFixtureTurn } from '@loader-smoke/turn'

const [profile, more, ...overlayPaths] = process.argv.slice(2)
const installAnchor = fileURLToPath(new URL('../package.json', import.meta.url))
try {
  const ctx = await bootProfile({ binName: 'scratch', profile, installAnchor, overlayPaths, ...JSON.parse(more) })
  try {
    console.log(JSON.stringify([...ctx.loader.entries()].map((entry) => entry.id)))
    console.log(JSON.stringify(await runFixtureTurn(ctx, { task: 'Run the command.' })))
  } finally {
    await ctx.fiber.dispose()
  }
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
`

const bundle = (name: string) =>
  JSON.stringify({ name, version: '1.0.0', dsh: { bundle: { patch: './cordis.patch.yml' } } })

const AGENT_BUNDLE = `- insert:
    - { id: llm, name: '@deepseek-ai/dsh-llm' }
    - { id: llm-deepseek, name: '@deepseek-ai/dsh-llm-deepseek' }
    - { id: system-prompt, name: '@deepseek-ai/dsh-system-prompt' }
    - { id: sessions, name: '@deepseek-ai/dsh-session' }
    - { id: tools, name: '@deepseek-ai/dsh-tools' }
    - { id: agents, name: '@deepseek-ai/dsh-agent' }
    - id: agent-loop
      name: '@deepseek-ai/dsh-agent-loop'
      config: { agents: [{ id: main, provider: deepseek-official, model: deepseek-v4-flash, cwd: !!js process.cwd() }] }
    - id: persistence
      name: '@deepseek-ai/dsh-session-persistence-jsonl'
      config: { root: !!js dshHomePath('sessions') }
`

const SHELL_BUNDLE = `- insert:
    - { id: subprocess, name: '@deepseek-ai/dsh-subprocess-local' }
    - { id: bash, name: '@deepseek-ai/dsh-bash-local', config: { timeoutMs: 20000 } }
    - { id: shell-env, name: '@deepseek-ai/dsh-shell-env' }
    - { id: tool-bash, name: '@deepseek-ai/dsh-tool-bash', config: { enableRunInBackground: true } }
- id: system-prompt
  config: { persona: You are terse. }
`

/** The test's provider: a model server with its script, and the provider pointed at it. */
export const MODEL_OVERLAY = `- insert:
    - id: model-replay
      name: '@loader-smoke/model-replay/cordis'
      config:
        script:
          turns:
            - expect: { system: You are terse. }
              toolCalls: [{ name: bash, arguments: { command: echo from-the-$((1 + 1))nd-step, description: Say it } }]
            - { expect: { toolResult: from-the-2nd-step }, text: It said from-the-2nd-step. }
- id: llm-deepseek
  inject: [modelReplay]
  config: { baseURL: !!js modelReplay.url, thinking: disabled }
`

/** Paths of the run's own, a tool turned down, and a plugin beside the overlay. */
export const PATHS_OVERLAY = `- id: persistence
  name: '@deepseek-ai/dsh-session-persistence-jsonl'
  config: { root: ./.sessions, compression: none }
- id: tool-bash
  config: { enableRunInBackground: false }
- insert: [{ id: greets, name: ./greets.mjs }]
`

/** The scratch installation on disk. */
export interface Scratch extends AsyncDisposable {
  readonly workspace: TempWorkspace
  /** Absolute path of an overlay in the installation's `smoke` folder. */
  overlay(name: string): string
}

/** Makes the installation; `files` are added to it or replace what is there. */
export async function scratch(files: Readonly<Record<string, string>> = {}): Promise<Scratch> {
  const workspace = await tempWorkspace({
    'app/package.json': JSON.stringify({
      name: 'scratch-app',
      version: '1.0.0',
      type: 'module',
      dependencies: { 'agent-bundle': '1.0.0', 'shell-bundle': '1.0.0', ...HARNESS_PACKAGES },
    }),
    'app/tsconfig.json': JSON.stringify({ compilerOptions: { allowJs: true } }),
    'app/src/bin.ts': BIN,
    'app/lib/bin.js': BIN,
    'app/node_modules/agent-bundle/package.json': bundle('agent-bundle'),
    'app/node_modules/agent-bundle/cordis.patch.yml': AGENT_BUNDLE,
    'app/node_modules/shell-bundle/package.json': bundle('shell-bundle'),
    'app/node_modules/shell-bundle/cordis.patch.yml': SHELL_BUNDLE,
    'app/smoke/model.patch.yml': MODEL_OVERLAY,
    'app/smoke/paths.patch.yml': PATHS_OVERLAY,
    'app/smoke/greets.mjs': `import { writeFileSync } from 'node:fs'
export const name = 'greets'
export const apply = () => writeFileSync('greeting.txt', 'hello')
`,
    ...files,
  })
  for (const scope of ['@deepseek-ai', '@loader-smoke']) await link(workspace, scope)
  return {
    workspace,
    overlay: (name) => workspace.file('app', 'smoke', name),
    [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose](),
  }
}

/** What the bundles name; an installation has it through its bundles' dependencies. */
const HARNESS_PACKAGES = Object.fromEntries(
  'llm llm-deepseek system-prompt session tools agent agent-loop session-persistence-jsonl subprocess-local bash-local shell-env tool-bash'
    .split(' ')
    .map((name) => [`@deepseek-ai/dsh-${name}`, '0.1.0-rc.8']),
)

async function link(workspace: TempWorkspace, scope: string): Promise<void> {
  const root = dirname(createRequire(import.meta.url).resolve('@deepseek-ai/dsh-app-boot/package.json'))
  await mkdir(workspace.file('app', 'node_modules'), { recursive: true })
  await symlink(join(root, '..', '..', scope), workspace.file('app', 'node_modules', scope), 'junction')
}

/** The options of the smoke that boots profile `scratch` of both bundles with `overlays`. */
export function smokeOf(
  { workspace }: Scratch,
  mode: 'src' | 'lib',
  overlays: readonly string[],
  options: Readonly<Record<string, unknown>> = {},
): LoaderSmokeOptions {
  const { bundles = ['agent-bundle', 'shell-bundle'], profile = 'scratch', ...more } = options
  return {
    label: 'scratch',
    tempDirPrefix: 'scratch-',
    mode,
    binScript: workspace.file('app', 'src', 'bin.ts'),
    tsconfigPath: workspace.file('app', 'tsconfig.json'),
    configPath: workspace.file('app', 'package.json'),
    binArgs: [String(profile), JSON.stringify(more), ...overlays],
    envMode: 'strict',
    env: {
      DEEPSEEK_API_KEY: 'keyless',

      NODE_OPTIONS: '--conditions=@loader-smoke/source',
    },
    async prepare(cwd) {
      const folder = join(cwd, '.dsh', 'profiles', 'scratch')
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, 'package.json'), JSON.stringify({ dsh: { profile: { bundles } } }))
    },
  }
}
