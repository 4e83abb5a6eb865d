/** The real Codex CLI on a real host, with a replay server as its model. No key, no account, loopback only. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type HostToolImplementation, nodeHost } from '@loader-smoke/agent-host'
import type { Event, EventBody, HostApi } from '@loader-smoke/agent-sdk'
import { type ReplayServer, type ScriptObject, startReplayServer } from '@loader-smoke/model-replay'
import { type LiveProcess, processesWith, type TempWorkspace, tempWorkspace, waitFor } from '@loader-smoke/testkit'
import { CodexAgent } from '../../src/agent.ts'

/** A running agent with its world. */
export interface RealCodex extends AsyncDisposable {
  readonly agent: CodexAgent
  readonly events: Event[]
  readonly replay: ReplayServer
  /** Folder that sessions work in. */
  readonly workspace: string
  /** The account's CODEX_HOME. */
  readonly home: string
  readonly world: TempWorkspace
  /** Waits for the first event of this kind, behind the `from`th event, that fits. */
  seen<Kind extends EventBody['event']>(
    kind: Kind,
    fits?: (event: Extract<Event, { readonly event: Kind }>) => boolean,
    from?: number,
  ): Promise<Extract<Event, { readonly event: Kind }>>
  /** Prompts and waits for the end of the run. */
  run(sessionId: string, text: string): Promise<Extract<Event, { readonly event: 'run_finished' }>>
}

/** What a test may choose. */
export interface RealOptions {
  readonly script: ScriptObject
  readonly model?: string
  readonly streamRetries?: number
  /** Further lines of config.toml, before its first table. */
  readonly config?: string
  /** Further tables of config.toml. */
  readonly tables?: string
  /** Tools of the host. */
  readonly tools?: readonly HostToolImplementation[]
}

/** The folder of the CLI's launcher, as npm links it. */
const bins = join(dirname(createRequire(import.meta.url).resolve('@openai/codex/package.json')), '..', '..', '.bin')

/** Starts a replay server with `script` and an agent that uses it. */
export async function realCodex({
  script,
  model = 'gpt-5.5',
  streamRetries = 2,
  config = '',
  tables = '',
  tools = [],
}: RealOptions): Promise<RealCodex> {
  const replay = await startReplayServer({ script })
  const world = await tempWorkspace({ 'workspace/README.md': 'A folder to work in.\n' })
  const home = world.file('home')
  await writeConfig(world, 'home', replay.url, { model, streamRetries, config, tables })
  const host = realHost(world, tools)
  const agent = new CodexAgent({ host, account: { id: 'codex', name: 'Codex', home }, checkUpdates: false })
  const events: Event[] = []
  agent.emit = (event) => events.push(event)
  const seen: RealCodex['seen'] = (kind, fits = () => true, from = 0) =>
    waitFor(
      `a ${kind} among ${events.length} events`,
      () =>
        events
          .slice(from)
          .find(
            (event): event is Extract<Event, { readonly event: typeof kind }> =>
              event.event === kind && fits(event as never),
          ),
      { deadlineMs: 40_000 },
    )
  return {
    agent,
    events,
    replay,
    workspace: world.file('workspace'),
    home,
    world,
    seen,
    async run(sessionId, text) {
      const { runId } = await agent.prompt({ sessionId, input: { blocks: [{ type: 'text', text }] } })
      return seen('run_finished', (event) => event.runId === runId)
    },
    async [Symbol.asyncDispose]() {
      await agent.dispose()
      await replay.close()
      await world[Symbol.asyncDispose]()
    },
  }
}

/** The native app-servers of an account; the CLI's launcher is a process of Node beside each. */
export function nativeServers(home: string): LiveProcess[] {
  return processesWith(`CODEX_HOME=${home}`).filter(({ command }) => /vendor\S* app-server/.test(command))
}

/** Writes the configuration of an account whose model is the server at `url`. */
export async function writeConfig(
  world: TempWorkspace,
  folder: string,
  url: string,
  { model = 'gpt-5.5', streamRetries = 2, config = '', tables = '' }: Partial<Omit<RealOptions, 'script'>> = {},
): Promise<void> {
  await world.write(
    `${folder}/config.toml`,
    `model = "${model}"
model_provider = "replay"
check_for_update_on_startup = false
${config}
[model_providers.replay]
name = "replay"
base_url = "${url}/v1"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = ${streamRetries}
${tables}`,
  )
}

/** The real host, with the CLI of this repository. Commands run in a login shell: a profile of whoever runs the tests may print, or wait. */
export function realHost(world: TempWorkspace, tools: readonly HostToolImplementation[] = []): HostApi {
  return nodeHost({ cwd: world.path, env: { HOME: world.path }, programFolders: [bins], graceMs: 2_000, tools })
}
