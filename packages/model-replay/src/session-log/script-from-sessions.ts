/** Makes a script of stored sessions on disk. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Redactor } from '../record/redact.ts'
import { readSessionLog } from './session-log.ts'
import { SessionLogError } from './session-log-error.ts'
import { textOfFrames } from './zstd-frames.ts'
import { type SessionScript, toScript, type ToScriptOptions } from './to-script.ts'

const LOG = /^session\.jsonl(?:\.zstd)?$/

/**
 * The script that answers again what the models of these sessions answered. `paths` are session logs (`session.jsonl`, also
 * `.jsonl.zstd`), or folders that are searched for them, so that the sessions of sub-agents come along.
 * Secrets are masked as in a recording; read the result before you keep it all the same. Nothing is written.
 * @throws SessionLogError for a path without a log, or a log that can't be read.
 */
export async function scriptFromSessions(
  paths: readonly string[],
  options: ToScriptOptions = {},
): Promise<SessionScript> {
  const files = (await Promise.all(paths.map(logsAt))).flat()
  const redactor = new Redactor([], process.env)
  const sessions = await Promise.all(
    files.map(async (file) => readSessionLog(redactor.clean(await textOf(file)), file)),
  )
  return toScript(sessions, options)
}

async function logsAt(path: string): Promise<string[]> {
  let isFolder: boolean
  try {
    isFolder = (await stat(path)).isDirectory()
  } catch (error) {
    throw new SessionLogError(path, null, 'is not there', error)
  }
  if (!isFolder) return [path]
  const found = (await readdir(path, { recursive: true })).filter((file) => LOG.test(basename(file))).toSorted()
  if (found.length === 0) throw new SessionLogError(path, null, 'has no session.jsonl in it')
  return found.map((file) => join(path, file))
}

async function textOf(file: string): Promise<string> {
  const bytes = await readFile(file)
  if (!file.endsWith('.zstd')) return bytes.toString('utf8')
  try {
    return textOfFrames(bytes)
  } catch (error) {
    throw new SessionLogError(file, null, `is no zstd file: ${(error as Error).message}`, error)
  }
}
