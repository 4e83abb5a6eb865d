/** Reads a request's body, up to a bound. */
import type { IncomingMessage } from 'node:http'
import { AskError } from '../ask/ask.ts'

/** 32 MiB. */
export const DEFAULT_MAX_BODY_BYTES = 32 * 1024 * 1024

/**
 * The whole body as UTF-8 text.
 * @throws AskError 413 beyond `maxBytes`, 415 for a compressed body, 400 when it is not UTF-8
 */
export async function readRequest(request: IncomingMessage, maxBytes: number): Promise<string> {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity')
    throw new AskError(`the body is compressed (${encoding}); expected plain JSON.`, 415)
  const tooLarge = (bytes: string) =>
    new AskError(`the body has ${bytes} bytes; at most ${maxBytes} are taken. Next: raise maxBodyBytes.`, 413)
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > maxBytes) throw tooLarge(String(announced))
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLarge(`more than ${maxBytes}`)
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(Buffer.concat(chunks))
  } catch {
    // Only the decoder throws here, and only for bytes that are not UTF-8.
    throw new AskError('the body is not UTF-8.', 400)
  }
}
