/** Runs a command beside the server, or waits for the end without one. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A command that can't be started. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/**
 * Runs `command` with `env` over this environment and this terminal. Stop signals are handed on to it.
 * Resolves with its exit code; 128 + the number of the signal that ended it.
 * @throws CommandError when it can't be started
 */
export function runBeside(command: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const [program = '', ...args] = command
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env } })
    const handOn = (signal: NodeJS.Signals) => void child.kill(signal)
    for (const signal of STOP_SIGNALS) process.on(signal, handOn)
    const done = () => {
      for (const signal of STOP_SIGNALS) process.off(signal, handOn)
    }
    child.once('error', (error: NodeJS.ErrnoException) => {
      done()
      reject(new CommandError(`model-replay: ${program} can't be started (${error.code}).`, { cause: error }))
    })
    child.once('exit', (code, signal) => {
      done()
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  })
}

/** Resolves with 0 at the first stop signal. */
export function untilStopped(): Promise<number> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const signal of STOP_SIGNALS) process.off(signal, stop)
      resolve(0)
    }
    for (const signal of STOP_SIGNALS) process.on(signal, stop)
  })
}
