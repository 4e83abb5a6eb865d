/** Keeps the end of a stream that may be endless. */
import type { Readable } from 'node:stream'

/** Reads `stream` to its end and remembers its last `maxBytes`. */
export function keepTail(stream: Readable, maxBytes: number): { text(): string } {
  let chunks: Buffer[] = []
  let bytes = 0
  stream.on('data', (chunk: Buffer | string) => {
    const buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    chunks.push(buffer.length > maxBytes ? buffer.subarray(buffer.length - maxBytes) : buffer)
    bytes += buffer.length
    if (bytes < maxBytes * 2) return
    chunks = [Buffer.concat(chunks).subarray(-maxBytes)]
    bytes = maxBytes
  })
  // A stream that breaks has no more to say; how the program ended is told by its exit.
  stream.on('error', () => {})
  return { text: () => Buffer.concat(chunks).subarray(-maxBytes).toString('utf8') }
}
