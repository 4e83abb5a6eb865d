/** Decompresses a log that the app wrote in pieces: each append is a zstd frame of its own, and Node decodes only the first. */
import { type BrotliDecompress, zstdDecompressSync } from 'node:zlib'

/** What Node gives with `info`, which its types leave out: the engine knows how much of the input it took. */
interface WithInfo {
  readonly buffer: Buffer
  readonly engine: Pick<BrotliDecompress, 'bytesWritten'>
}

/** What a torn end is replaced with: the beginning of a line that breaks off, as it would in a log that isn't compressed. */
const TORN = '{'

/**
 * The text of all frames. A last frame that breaks off (the app was ended while it wrote) becomes a last line that does.
 * @throws Error of zlib when not even the first frame is whole.
 */
export function textOfFrames(bytes: Uint8Array): string {
  let text = ''
  for (let rest = bytes; rest.length > 0;) {
    let frame: WithInfo
    try {
      frame = zstdDecompressSync(rest, { info: true }) as unknown as WithInfo
    } catch (error) {
      if (text === '') throw error
      return text + TORN
    }
    text += frame.buffer.toString('utf8')
    rest = rest.subarray(frame.engine.bytesWritten)
  }
  return text
}
