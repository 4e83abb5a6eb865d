/** Keeps a process from ending well when its model server saw something go wrong. */
import { writeSync } from 'node:fs'

type Complaint = () => string | undefined

const complaints: Complaint[] = []

/**
 * When the process is about to exit with 0, asks `complaint`; if it says something, that is written to standard error and the exit code
 * becomes 1. A process that fails by itself keeps its own reason.
 * @see https://nodejs.org/api/process.html#event-exit (an exit code set by a listener is kept, also after `process.exit(0)`)
 */
export function failAtExit(complaint: Complaint): void {
  if (complaints.push(complaint) === 1) process.once('exit', complain)
}

function complain(code: number): void {
  if (code !== 0) return
  const said = complaints.map((complaint) => complaint()).filter((one) => one !== undefined)
  if (said.length === 0) return
  writeSync(2, `${said.join('\n')}\n`)
  process.exitCode = 1
}
