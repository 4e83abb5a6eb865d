/** Runs the program as a user does, from its source. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type TempWorkspace, tempWorkspace } from '@loader-smoke/testkit'

/** Absolute path of the entry. */
export const BIN = fileURLToPath(new URL('../src/bin.ts', import.meta.url))

/** What a call came to. */
export interface Called {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** How it is called. */
export interface Calling {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** Names that would change what a call does, when the tests themselves run in CI or under a task runner. */
const CLEAN = {
  CI: undefined,
  GITHUB_ACTIONS: undefined,
  GITHUB_STEP_SUMMARY: undefined,
  GITHUB_WORKSPACE: undefined,
  TURBO_HASH: undefined,
  NO_COLOR: undefined,
  FORCE_COLOR: undefined,
  DSH_EXAMPLE_MODE: undefined,
}

/** Starts the program; `ended` resolves when it has exited and its output is complete. */
export function start(
  words: readonly string[],
  { cwd, env }: Calling,
): { readonly child: ChildProcess; readonly ended: Promise<Called>; stdout(): string } {
  const child = spawn(process.execPath, ['--conditions=@loader-smoke/source', BIN, ...words], {
    cwd,
    env: { ...process.env, ...CLEAN, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ended = new Promise<Called>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  return { child, ended, stdout: () => stdout }
}

/** Calls the program and waits for its end. */
export function call(words: readonly string[], calling: Calling): Promise<Called> {
  return start(words, calling).ended
}

/** A folder with a package whose smokes are these; programs are TypeScript, and `turn` is optional. */
export async function packageWith(
  programs: Readonly<Record<string, string>>,
  { fixture = {}, files = {} }: { readonly fixture?: object; readonly files?: Readonly<Record<string, string>> } = {},
): Promise<TempWorkspace> {
  const fixtures = Object.keys(programs).map((label) => ({
    label,
    bin: `src/${label}.ts`,
    ...(fixture as Record<string, object>)[label],
  }))
  return tempWorkspace({
    'smoke.config.json': JSON.stringify({ turn: 'optional', graceMs: 100, fixtures }),
    'package.json': '{"name": "app", "type": "module"}',
    'tsconfig.json': '{}',
    ...Object.fromEntries(Object.entries(programs).map(([label, text]) => [`src/${label}.ts`, text])),
    ...files,
  })
}
