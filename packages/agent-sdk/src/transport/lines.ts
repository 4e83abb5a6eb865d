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
  const emit = (line: string) => {
    if (line.length > 0 && line !== '\r') onLine(line)
  }
  return {
    push(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      let start = 0
      for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
        if (held + end - start > maxLineBytes) throw new LineTooLongError(maxLineBytes)
        if (held === 0) emit(bytes.toString('utf8', start, end))
        else {
          parts.push(bytes.subarray(start, end))
          const line = Buffer.concat(parts).toString('utf8')
          parts = []
          held = 0
          emit(line)
        }
        start = end + 1
      }
      if (start === bytes.length) return
      held += bytes.length - start
      if (held > maxLineBytes) throw new LineTooLongError(maxLineBytes)
      // A copy: the stream may reuse the chunk's memory.
      parts.push(Buffer.from(bytes.subarray(start)))
    },
  }
}
