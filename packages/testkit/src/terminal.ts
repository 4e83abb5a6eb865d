/** Programs as the foreground job of a real pseudo-terminal, which `script` of util-linux makes. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

/** What the key sends. */
export const CTRL_C = '\u0003'

/** Whether this machine can make terminals. */
export const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0

/** A program that was started as a user starts it. */
export interface Job {
  /** Of the terminal, or of the program where it has none. */
  readonly pid: number
  /** Whether it has ended. */
  ended(): boolean
  /** Everything that was on the screen so far. */
  shown(): string
  type(keys: string): void
  /** Takes the terminal away (or kills the program that has none), as a closed window does. Resolves when it is gone; safe to call again. */
  close(): Promise<void>
}

/** How it is started. `env` is complete. */
export interface JobOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Default true; false gives it a session without a terminal, as a service manager or CI does. */
  readonly inTerminal?: boolean
}

/** Starts `argv`, alone in its session; in a terminal, of 24 rows and 80 columns. */
export async function startJob(argv: readonly string[], { cwd, env, inTerminal = true }: JobOptions): Promise<Job> {
  const [program = '', ...args] = inTerminal
    ? ['script', '-qefc', `stty rows 24 cols 80; exec ${argv.map(quote).join(' ')}`, '/dev/null']
    : argv
  const child = spawn(program, args, {
    cwd,
    env: { SHELL: '/bin/sh', TERM: 'xterm-256color', ...env },
    stdio: 'pipe',
    detached: !inTerminal,
  })
  await once(child, 'spawn')
  const gone = once(child, 'exit')
  let shown = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (shown += text))
  child.stdin.on('error', () => {
    // The program has ended: nobody reads what is typed.
  })
  return {
    pid: child.pid as number,
    ended: () => child.exitCode !== null || child.signalCode !== null,
    shown: () => shown,
    type: (keys) => void child.stdin.write(keys),
    async close() {
      child.kill('SIGKILL')
      await gone
    },
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
