/** Cuts a byte stream into lines. Cutting bytes, not text, keeps a character whole that arrives in two chunks. */

const newline = 0x0a

/** Takes chunks, gives lines. */
export interface LineCutter {
  /** Calls `onLine` for every line that `chunk` completes, without its line end; empty lines are left out. */
  push(chunk: Uint8Array): void
}

/** Thrown by {@link LineCutter.push} when a line grows beyond its limit. */
export class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError'
  readonly maxLineBytes: number

  constructor(maxLineBytes: number) {
    super(`a line is longer than ${maxLineBytes} bytes`)
    this.maxLineBytes = maxLineBytes
  }
}

/** Makes a cutter; a line beyond `maxLineBytes` throws {@link LineTooLongError}. Work is linear in the bytes pushed. */
export function cutLines(onLine: (line: string) => void, maxLineBytes: number): LineCutter {
  let parts: Buffer[] = []
  let held = 0
  return {
    push(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      const last = bytes.lastIndexOf(newline)
      if (last !== -1) {
        // All whole lines are decoded in one go: a call per line would cost more than reading the line.
        const whole =
          held === 0
            ? bytes.toString('utf8', 0, last)
            : Buffer.concat([...parts, bytes.subarray(0, last)]).toString('utf8')
        const mayExceed = held + last > maxLineBytes
        parts = []
        held = 0
        for (const line of whole.split('\n')) {
          if (mayExceed && Buffer.byteLength(line) > maxLineBytes) throw new LineTooLongError(maxLineBytes)
          if (line.length > 0 && line !== '\r') onLine(line)
        }
      }
      if (last + 1 === bytes.length) return
      held += bytes.length - last - 1
      if (held > maxLineBytes) throw new LineTooLongError(maxLineBytes)
      // A copy: the stream may reuse the chunk's memory.
      parts.push(Buffer.from(bytes.subarray(last + 1)))
    },
  }
}
