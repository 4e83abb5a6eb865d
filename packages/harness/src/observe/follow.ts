/** Tells what a program prints while it runs, from its capture file: the program itself never waits for us, nor sees a pipe. */
import { open, type FileHandle } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { TextDecoder } from 'node:util'

/** How often the file is looked at. */
const POLL_MS = 50
const CHUNK_BYTES = 64 * 1024

/** A capture that is being followed. */
export interface Following {
  /** Reads what is there by now, tells it, and closes the file. Resolves when the last text was told; call it once the program's tree is gone. */
  finish(): Promise<void>
}

/**
 * Calls `onText` with each new stretch of `file`, in order, until `finish()`. Characters and bytes that are not UTF-8 are treated as by `readCapture`.
 * What `onText` throws is what `finish()` rejects with; nothing is told after it.
 */
export async function followCapture(file: string, onText: (text: string) => void): Promise<Following> {
  const handle = await open(file, 'r')
  const tell = new Teller(handle, onText)
  const finishing = new AbortController()
  const done = follow(tell, finishing.signal).finally(() => handle.close())
  // Told by `finish()`.
  done.catch(() => {})
  return {
    finish() {
      finishing.abort()
      return done
    },
  }
}

async function follow(tell: Teller, finishing: AbortSignal): Promise<void> {
  while (!finishing.aborted) {
    await tell.rest()
    // The run keeps the process alive, not the looking.
    await setTimeout(POLL_MS, undefined, { ref: false, signal: finishing }).catch(() => {}) // aborted: the last look follows
  }
  await tell.rest()
  tell.end()
}

class Teller {
  readonly #handle: FileHandle
  readonly #onText: (text: string) => void
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  #position = 0

  constructor(handle: FileHandle, onText: (text: string) => void) {
    this.#handle = handle
    this.#onText = onText
  }

  /** Tells everything up to the end the file has now. */
  async rest(): Promise<void> {
    for (;;) {
      const { bytesRead } = await this.#handle.read(this.#buffer, 0, CHUNK_BYTES, this.#position)
      if (bytesRead === 0) return
      this.#position += bytesRead
      this.#say(this.#decoder.decode(this.#buffer.subarray(0, bytesRead), { stream: true }))
    }
  }

  /** Tells a character that was never completed. */
  end(): void {
    this.#say(this.#decoder.decode())
  }

  #say(text: string): void {
    if (text !== '') this.#onText(text)
  }
}

/** Puts `prefix` before each line: give it stretches of text, it gives `write` whole lines; `end()` gives what has no newline yet. */
export function prefixLines(
  prefix: string,
  write: (lines: string) => void,
): { readonly text: (text: string) => void; readonly end: () => void } {
  let open = ''
  return {
    text(text) {
      const lines = (open + text).split('\n')
      open = lines.pop() ?? ''
      if (lines.length > 0) write(lines.map((line) => `${prefix}${line}\n`).join(''))
    },
    end() {
      if (open !== '') write(`${prefix}${open}\n`)
      open = ''
    },
  }
}
