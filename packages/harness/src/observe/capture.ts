/** Reads what a program wrote to its capture file: byte-exact, decoded at the end, with memory that doesn't grow with the file. */
import { isUtf8 } from 'node:buffer'
import { open, type FileHandle } from 'node:fs/promises'
import { TextDecoder } from 'node:util'

/** Above this a capture's text holds head and tail only: 16 MiB. */
export const MAX_TEXT_BYTES = 16 * 1024 * 1024

const CHUNK_BYTES = 256 * 1024

/** A stream as it was captured. */
export interface Capture {
  /** Decoded UTF-8, no newline stripped, no byte order mark removed. When `truncated`, head and tail with a line between them that says how much is missing. */
  readonly text: string
  /** Size of the whole stream. */
  readonly bytes: number
  readonly truncated: boolean
  /** Some bytes read are not UTF-8; each such place is U+FFFD in `text`, the file keeps the bytes. A character cut by our own truncation doesn't count. */
  readonly invalidUtf8: boolean
}

/** Reads the capture `file`. Beyond `maxTextBytes` the first and the last half of that many bytes are kept. */
export async function readCapture(file: string, maxTextBytes = MAX_TEXT_BYTES): Promise<Capture> {
  await using handle = await open(file, 'r')
  const { size } = await handle.stat()
  if (size <= maxTextBytes) return { ...(await decode(handle, 0, size)), bytes: size, truncated: false }

  const headEnd = await characterStart(handle, Math.ceil(maxTextBytes / 2))
  const tailStart = await characterStart(handle, size - Math.floor(maxTextBytes / 2))
  const head = await decode(handle, 0, headEnd)
  const tail = await decode(handle, tailStart, size)
  const gap = `\n[... ${tailStart - headEnd} of ${size} bytes left out ...]\n`
  return {
    text: head.text + gap + tail.text,
    bytes: size,
    truncated: true,
    invalidUtf8: head.invalidUtf8 || tail.invalidUtf8,
  }
}

/** Decodes the bytes from `start` up to `end` in pieces of whole characters: the text is the only thing held that is as long as they are. */
async function decode(handle: FileHandle, start: number, end: number): Promise<Pick<Capture, 'text' | 'invalidUtf8'>> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  let text = ''
  let invalidUtf8 = false
  // Bytes at the front of the buffer that began a character at the end of the last piece.
  let carried = 0
  for (let position = start; position < end;) {
    const { bytesRead } = await handle.read(
      buffer,
      carried,
      Math.min(buffer.length - carried, end - position),
      position,
    )
    if (bytesRead === 0) break
    position += bytesRead
    const filled = carried + bytesRead
    const whole = position < end ? lastCharacterStart(buffer.subarray(0, filled)) : filled
    const piece = buffer.subarray(0, whole)
    invalidUtf8 ||= !isUtf8(piece)
    text += decoder.decode(piece)
    carried = filled - whole
    buffer.copyWithin(0, whole, filled)
  }
  return { text, invalidUtf8 }
}

/** Where the last character of `bytes` begins, so that all before it are whole; the end when the last 4 bytes begin none. */
function lastCharacterStart(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 4); at--) {
    if (((bytes[at] ?? 0) & 0xc0) !== 0x80) return at
  }
  return bytes.length
}

/** The first position at or after `position` that doesn't continue a UTF-8 character (at most 3 further). */
async function characterStart(handle: FileHandle, position: number): Promise<number> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(3), 0, 3, position)
  let skip = 0
  while (skip < bytesRead && ((buffer[skip] ?? 0) & 0xc0) === 0x80) skip++
  return position + skip
}
