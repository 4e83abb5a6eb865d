/** Writes lines to a peer that may read slowly, or not at all. */
import type { Writable } from 'node:stream'

/** Writes in order; holds back while the peer does not take what is there. */
export interface Writer {
  write(line: string): void
  /** Resolves when nothing waits any more, or the writer has ended. */
  drained(): Promise<void>
  /** Closes the stream after what was written. */
  end(): void
}

/**
 * Writes to `stream`. Calls `onBroken` once when the stream fails (a program that has ended answers a write with EPIPE) or when
 * more than `maxWaitingBytes` wait.
 */
export function openWriter(stream: Writable, maxWaitingBytes: number, onBroken: (reason: string) => void): Writer {
  let waiting: string[] = []
  let waitingBytes = 0
  let blocked = false
  let ended = false
  let wake: (() => void)[] = []

  const release = () => {
    const callbacks = wake
    wake = []
    for (const callback of callbacks) callback()
  }
  const flush = () => {
    blocked = false
    while (!blocked && waiting.length > 0) {
      // In one piece: as many system calls as drains, not as lines.
      const text = waiting.join('')
      waiting = []
      waitingBytes = 0
      blocked = !stream.write(text)
    }
    if (!blocked) release()
  }
  const stop = () => {
    ended = true
    waiting = []
    waitingBytes = 0
    release()
  }
  stream.on('drain', flush)
  stream.on('error', (error) => {
    stop()
    onBroken(`the program does not take input: ${error.message}`)
  })
  return {
    write(line) {
      if (ended || stream.destroyed || stream.writableEnded) return
      if (!blocked) {
        blocked = !stream.write(line)
        return
      }
      waiting.push(line)
      waitingBytes += Buffer.byteLength(line)
      if (waitingBytes <= maxWaitingBytes) return
      const bytes = waitingBytes
      stop()
      onBroken(`the program does not take input: ${bytes} bytes wait, at most ${maxWaitingBytes} may`)
    },
    drained: () =>
      ended || (!blocked && waiting.length === 0)
        ? Promise.resolve()
        : new Promise((resolve) => {
            wake.push(resolve)
          }),
    end() {
      if (ended) return
      flush()
      stop()
      stream.end()
    },
  }
}
