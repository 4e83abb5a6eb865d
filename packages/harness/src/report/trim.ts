/** Cuts a captured stream to what a message can hold. Pure. */

/** Head and tail together, in bytes of UTF-8. */
export const MAX_SHOWN_BYTES = 32 * 1024

/**
 * `text` whole when it fits, else its head and tail with a line between them that says how much is missing.
 * @param bytes the size of the whole stream, which may be more than `text` has.
 */
export function trimStream(text: string, bytes: number, maxBytes = MAX_SHOWN_BYTES): string {
  const buffer = Buffer.from(text)
  if (buffer.length <= maxBytes) return text
  const half = Math.floor(maxBytes / 2)
  const head = buffer.subarray(0, characterStart(buffer, half))
  const tail = buffer.subarray(characterStart(buffer, buffer.length - half))
  const shown = head.length + tail.length
  return `${head.toString()}\n[... ${bytes - shown} of ${bytes} bytes left out ...]\n${tail.toString()}`
}

/** The last position up to `at` where a character begins. */
function characterStart(buffer: Buffer, at: number): number {
  let start = at
  while (start > 0 && ((buffer[start] ?? 0) & 0xc0) === 0x80) start--
  return start
}
