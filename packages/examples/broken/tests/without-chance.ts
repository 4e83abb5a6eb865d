/** Takes out of a message what differs between two runs or two machines, and nothing else. */
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '')

/** `message` with names for the repository, Node, the folder of the run, ports and ids. */
export function withoutChance(message: string, tempDirParent: string): string {
  return message
    .replaceAll(process.execPath, '<node>')
    .replaceAll(ROOT, '<root>')
    .replaceAll(tempDirParent, '<temp>')
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uuid>')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>')
}
