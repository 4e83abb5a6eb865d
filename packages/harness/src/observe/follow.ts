/** Tells what a program prints while it runs, from its capture file: the program itself never waits for us, nor sees a pipe. */
import { open, type FileHandle } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { TextDecoder } from 'node:util'

/** How often the file is looked at. */
const POLL_MS = 50
const CHUNK_BYTES = 64 * 1024
/** What is further behind is skipped: whoever listens is slower than a program that floods, and the end of the run doesn't wait for more than this. */
const MAX_BEHIND_BYTES = 128 * 1024
/** After that it goes on so far before the end. */
const RESUME_BYTES = 32 * 1024

/** Who is told. */
export interface CaptureListener {
  /** The next stretch, in order. */
  text(text: string): void
  /** So many bytes were skipped before the next stretch. */
  skipped(bytes: number): void
  /** Nothing follows. */
  end(): void
}

/** A capture that is being followed. */
export interface Following {
  /** Reads what is there by now, tells it, and closes the file. Resolves when the last text was told; call it once the program's tree is gone. */
  finish(): Promise<void>
}

/**
 * Tells each new stretch of `file`, in order, until `finish()`; a stretch that can't be kept up with is skipped. Characters and bytes that are not UTF-8
 * are treated as by `readCapture`. What the listener throws, or the system when the file can't be read, is what `finish()` rejects with; nothing is told
 * after it.
 */
export function followCapture(file: string, listener: CaptureListener): Following {
  const finishing = new AbortController()
  const done = follow(file, listener, finishing.signal)
  // Told by `finish()`.
  done.catch(() => {})
  return {
    finish() {
      finishing.abort()
      return done
    },
  }
}

async function follow(file: string, listener: CaptureListener, finishing: AbortSignal): Promise<void> {
  await using handle = await open(file, 'r')
  const tell = new Teller(handle, listener)
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
  readonly #listener: CaptureListener
  #decoder = newDecoder()
  readonly #buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  #position = 0

  constructor(handle: FileHandle, listener: CaptureListener) {
    this.#handle = handle
    this.#listener = listener
  }

  /** Tells everything up to the end the file has now, or, when that is too much, the last of it. */
  async rest(): Promise<void> {
    const { size } = await this.#handle.stat()
    if (size - this.#position > MAX_BEHIND_BYTES) this.#skipTo(size - RESUME_BYTES)
    while (this.#position < size) {
      const length = Math.min(CHUNK_BYTES, size - this.#position)
      const { bytesRead } = await this.#handle.read(this.#buffer, 0, length, this.#position)
      if (bytesRead === 0) return
      this.#position += bytesRead
      this.#say(this.#decoder.decode(this.#buffer.subarray(0, bytesRead), { stream: true }))
    }
  }

  /** Tells a character that was never completed, and that nothing follows. */
  end(): void {
    this.#say(this.#decoder.decode())
    this.#listener.end()
  }

  #skipTo(position: number): void {
    this.#decoder = newDecoder()
    this.#listener.skipped(position - this.#position)
    this.#position = position
  }

  #say(text: string): void {
    if (text !== '') this.#listener.text(text)
  }
}

function newDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { ignoreBOM: true })
}
