/** Runs the real Codex CLI once, without a key, against a replay server. */
import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** What the CLI did. */
export interface CodexEnd {
  readonly exitCode: number | null
  /** Events of `codex exec --json`, in order. */
  readonly events: readonly CodexEvent[]
  readonly stderr: string
}

export interface CodexEvent {
  readonly type: string
  readonly item?: { readonly type: string; readonly text?: string } & Readonly<Record<string, unknown>>
  readonly [key: string]: unknown
}

export interface CodexTask {
  /** Base URL of the model server, without `/v1`. */
  readonly url: string
  readonly model: string
  readonly prompt: string
  /** An empty folder: home and working folder are made in it. */
  readonly folder: string
  /** Further lines of config.toml for the provider. */
  readonly provider?: string
  readonly retries?: number
  readonly deadlineMs?: number
}

/** The CLI gets `folder`/home as its home and `folder`/work as its working folder; nothing of the caller's environment but PATH. */
export async function runCodex(task: CodexTask): Promise<CodexEnd> {
  const { url, model, prompt, folder, provider = '', retries = 0, deadlineMs = 60_000 } = task
  const [home, work] = [join(folder, 'home'), join(folder, 'work')]
  await mkdir(home, { recursive: true })
  await mkdir(work, { recursive: true })
  await writeFile(
    join(home, 'config.toml'),
    `model = "${model}"
model_provider = "replay"
check_for_update_on_startup = false
[model_providers.replay]
name = "replay"
base_url = "${url}/v1"
wire_api = "responses"
request_max_retries = ${retries}
stream_max_retries = ${retries}
${provider}
`,
  )
  const bin = createRequire(import.meta.url).resolve('@openai/codex/bin/codex.js')
  const args = [bin, 'exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt]
  const child = spawn(process.execPath, args, {
    cwd: work,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, CODEX_HOME: home, NO_PROXY: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: deadlineMs,
  })
  const [stdout, stderr, exitCode] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ])
  const events = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as CodexEvent)
  return { exitCode, events, stderr }
}
