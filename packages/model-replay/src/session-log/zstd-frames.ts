/** Decompresses a log that the app wrote in pieces: each append is a zstd frame of its own, and Node decodes only the first. */
// As a whole: a name that an older Node lacks would end every import of the package, and not only the reading of such a log.
import * as zlib from 'node:zlib'

/** What Node gives with `info`, which its types leave out: the engine knows how much of the input it took. */
interface WithInfo {
  readonly buffer: Buffer
  readonly engine: Pick<zlib.BrotliDecompress, 'bytesWritten'>
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
      frame = zlib.zstdDecompressSync(rest, { info: true }) as unknown as WithInfo
    } catch (error) {
      if (text === '') throw error
      return text + TORN
    }
    text += frame.buffer.toString('utf8')
    rest = rest.subarray(frame.engine.bytesWritten)
  }
  return text
}
