/** Our end of the control socket of the subreaper helper; its lines are listed in `subreaper-program.ts`. */
import { constants } from 'node:os'
import type { Duplex } from 'node:stream'
import { getSystemErrorMessage, getSystemErrorName } from 'node:util'
import type { ContainedLaunch, TreeEnding } from '../contained.ts'
import { describe } from '../reach.ts'
import { SuperviseError } from '../supervise-error.ts'
import { KILL_MS, SETTLE_MS } from '../timing.ts'
import type { Survivor } from '../types.ts'

/** Sends the launch and reads what the helper tells until the tree is gone. */
export class HelperTalk {
  /** The program's pid; rejects with `SuperviseError` `stage: 'spawn'`. */
  readonly started: Promise<number>
  /** Rejects with `SuperviseError` `stage: 'helper'` or `'survivors'`. */
  readonly ended: Promise<TreeEnding>
  /** The program itself has exited. */
  exited = false
  readonly #control: Duplex
  readonly #launch: ContainedLaunch
  readonly #start = Promise.withResolvers<number>()
  readonly #end = Promise.withResolvers<TreeEnding>()
  readonly #survivors: Survivor[] = []
  #exit: Pick<TreeEnding, 'exitCode' | 'signal' | 'durationMs' | 'stopped'> | undefined
  #timedOut = false
  #takenOver = false
  #rest = ''

  constructor(control: Duplex, launch: ContainedLaunch) {
    this.#control = control
    this.#launch = launch
    this.started = this.#start.promise
    this.ended = this.#end.promise
    // Each has one awaiter at most, and only one of the two when the program is not started.
    this.started.catch(() => {})
    this.ended.catch(() => {})
    control.setEncoding('latin1')
    control.on('data', (text: string) => this.#read(text))
    control.on('error', () => {
      // The helper is gone; `close` follows.
    })
    control.on('close', () => this.#lost())
    control.write(encodeLaunch(launch))
  }

  /** `T`: ask the tree to end · `K`: end it now. Without effect when the helper is gone. */
  order(letter: 'T' | 'K'): void {
    if (this.#control.writable) this.#control.write(letter)
  }

  /** Closes the socket: a helper that is still at work then ends the tree. */
  hangUp(): void {
    this.#control.destroy()
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#hear(line.slice(0, 1), line.slice(2).split(' '))
  }

  #hear(letter: string, [first = '', second = '', third = '']: string[]): void {
    if (letter === 'P') this.#start.resolve(Number(first))
    if (letter === 'X') this.#start.reject(spawnError(this.#launch, Number(first), second))
    if (letter === 'D') this.#timedOut = true
    if (letter === 'E')
      this.#exit = { ...fromStatus(Number(first)), durationMs: Number(second), stopped: third === '1' }
    if (letter === 'E') this.exited = true
    if (letter === 'S') this.#survivors.push({ pid: Number(first), command: Buffer.from(second, 'hex').toString() })
    if (letter === 'R') this.#takenOver = true
    if (letter === 'U') this.#end.reject(unkillable(this.#survivors))
    if (letter === 'Z') this.#finish()
  }

  #finish(): void {
    if (this.#takenOver || this.#exit === undefined) this.#end.reject(helperLost())
    else this.#end.resolve({ ...this.#exit, timedOut: this.#timedOut, survivors: this.#survivors })
  }

  #lost(): void {
    this.#start.reject(new SuperviseError('spawn', 'the helper that starts the program ended before it did', {}))
    this.#end.reject(helperLost())
  }
}

function helperLost(): SuperviseError {
  return new SuperviseError(
    'helper',
    'a process of loader-smoke that guards the run was killed or did not answer; the run was ended',
  )
}

function unkillable(survivors: readonly Survivor[]): SuperviseError {
  return new SuperviseError('survivors', `processes are alive ${KILL_MS} ms after KILL: ${describe(survivors)}`, {
    survivors,
  })
}

function spawnError({ argv, cwd }: ContainedLaunch, errno: number, step: string): SuperviseError {
  const code = getSystemErrorName(-errno)
  const cause = Object.assign(new Error(`${code}: ${getSystemErrorMessage(-errno)}`), {
    code,
    errno: -errno,
    syscall: step,
  })
  const what = step === 'cwd' ? `the working folder ${cwd} can't be entered` : `${argv[0]} was not started`
  return new SuperviseError('spawn', `${what}: ${cause.message}`, { cause })
}

function encodeLaunch({ deadlineMs = 0, graceMs, cwd, argv, env }: ContainedLaunch): Buffer {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const fields = [deadlineMs, graceMs, SETTLE_MS, cwd, argv.length, ...argv, ...variables]
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(''))
  return Buffer.concat([Buffer.from(`${body.length}\n`), body])
}

/** Reads a wait status as `waitpid(2)` gives it: the low 7 bits are the signal, the next byte the exit code. */
function fromStatus(status: number): Pick<TreeEnding, 'exitCode' | 'signal'> {
  const number = status & 0x7f
  if (number === 0) return { exitCode: status >> 8, signal: null }
  const name = Object.entries(constants.signals).find(([, value]) => value === number)?.[0]
  return { exitCode: null, signal: (name ?? `SIG${number}`) as NodeJS.Signals }
}
