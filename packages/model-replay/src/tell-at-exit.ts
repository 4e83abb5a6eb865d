/** Tells what a model server saw when its own process ends: to the harness in the verdict's words, else through the exit code. */
import { appendFileSync, writeSync } from 'node:fs'
import { requestRows } from './report/request-table.ts'
import type { RecordedRequest } from './serve/records.ts'

/** Set by the harness: the file that it reads when the process has ended. */
export const REPORT_ENV = 'LOADER_SMOKE_REPORT'

/** A server, and the turns or exchanges that nobody asked for. */
export interface Watched {
  readonly server: {
    readonly requests: readonly RecordedRequest[]
    problems(): string[]
    deviations(): string | undefined
  }
  readonly listUnused: () => string[]
}

const watched: Watched[] = []

/**
 * When the process exits, appends a line for the server to the harness' report: every request, and every failure. Where there is no report, or
 * it can't be written, a process that is about to exit with 0 says the failures on standard error and exits with 1.
 * What was left over counts only with exit code 0: a process that fails by itself didn't come to it.
 * @see https://nodejs.org/api/process.html#event-exit (synchronous work is done, and an exit code set by a listener is kept, also after `process.exit(0)`)
 */
export function tellAtExit(model: Watched): void {
  if (watched.push(model) === 1) process.once('exit', (code) => watched.forEach((one) => tell(one, code)))
}

function tell({ server, listUnused }: Watched, code: number): void {
  const failures = [...server.problems(), ...(code === 0 ? listUnused() : [])]
  const line = { v: 1, type: 'service', name: 'model', failures, facts: { requests: requestRows(server.requests) } }
  if (append(line) || code !== 0) return
  const said = server.deviations()
  if (said === undefined) return
  writeSync(2, `${said}\n`)
  process.exitCode = 1
}

/** Whether the report was there to be written to. */
function append(line: object): boolean {
  const file = process.env[REPORT_ENV]
  if (file === undefined || file === '') return false
  try {
    appendFileSync(file, `${JSON.stringify(line)}\n`)
    return true
  } catch {
    // Whatever keeps it from being written: the exit code tells instead.
    return false
  }
}
