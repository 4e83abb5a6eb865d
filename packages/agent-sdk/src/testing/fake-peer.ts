/** A scripted program: a host process whose other end is a function of the test. */
import { PassThrough, Readable, Writable } from 'node:stream'
import type { SpawnOptions } from '../host/host.ts'
import type { HostProcess, ProcessExit } from '../host/process.ts'

/** A message as the agent wrote it. `params` is `{}` when there were none. */
export interface TestMessage {
  readonly id?: number | string
  readonly method?: string
  readonly params: Record<string, unknown>
  readonly result?: unknown
  readonly error?: unknown
}

/** Runs for every message that the agent writes. A script that does nothing is a program that never answers. */
export type PeerScript = (message: TestMessage, peer: FakePeer) => void

/** The test's side of a program that the agent has started. */
export class FakePeer {
  readonly program: string
  readonly args: readonly string[]
  readonly options: SpawnOptions
  /** Every message so far, in order. */
  readonly received: TestMessage[] = []
  /** What the program prints; push raw text here, `send` for messages. */
  readonly stdout = new Readable({ read() {} })
  readonly stderr = new PassThrough()
  /** Replace it to change what the program does from now on. */
  onMessage: PeerScript
  /** Whether the agent has closed the program's input. */
  inputClosed = false
  readonly #waiting = new Set<() => void>()
  #leave: (exit: ProcessExit) => void = () => {}
  #gone = false
  readonly process: HostProcess

  constructor(program: string, args: readonly string[], options: SpawnOptions, script: PeerScript) {
    this.program = program
    this.args = args
    this.options = options
    this.onMessage = script
    const exited = new Promise<ProcessExit>((resolve) => {
      this.#leave = resolve
    })
    this.process = {
      pid: null,
      stdin: this.#input(),
      stdout: this.stdout,
      stderr: this.stderr,
      exited,
      stop: () => {
        this.exit(null, 'SIGTERM')
        return exited
      },
    }
  }

  /** Writes one message to the agent. */
  send(message: object): void {
    if (!this.#gone) this.stdout.push(`${JSON.stringify(message)}\n`)
  }

  /** Answers a request of the agent. */
  reply(message: TestMessage, result: unknown): void {
    this.send({ id: message.id, result })
  }

  /** Resolves with the first message that fits, also one that has already arrived. Never rejects: the test's own deadline ends it. */
  async waitFor(fits: (message: TestMessage) => boolean): Promise<TestMessage> {
    for (;;) {
      const found = this.received.find(fits)
      if (found !== undefined) return found
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve)
      })
    }
  }

  /** Ends the program, as the system would report it; what it has printed is still delivered. */
  exit(code: number | null, signal: string | null = null): void {
    if (this.#gone) return
    this.#gone = true
    this.stdout.push(null)
    this.stderr.end()
    this.process.stdin.destroy()
    this.#leave({ code, signal })
  }

  #input(): Writable {
    let rest = ''
    return new Writable({
      decodeStrings: false,
      write: (chunk: string | Buffer, _encoding, done) => {
        const lines = (rest + chunk.toString()).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) this.#receive(JSON.parse(line))
        done()
      },
      final: (done) => {
        this.inputClosed = true
        this.#wake()
        done()
      },
    })
  }

  #receive(message: Omit<TestMessage, 'params'> & { params?: Record<string, unknown> }): void {
    const whole: TestMessage = { ...message, params: message.params ?? {} }
    this.received.push(whole)
    this.#wake()
    this.onMessage(whole, this)
  }

  #wake(): void {
    for (const resume of this.#waiting) resume()
    this.#waiting.clear()
  }
}
