/** A program that only its supervisor ends, daemon included. */
import { existsSync, readFileSync } from 'node:fs'
import type { Job } from './terminal.ts'
import { waitFor } from './wait-for.ts'

/** Its source: never ends by itself, and has a daemon with a session of its own and nothing in its environment. Both pids are written to the file in PIDS. */
export const hangingProgram = `
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
const daemon = spawn('/bin/sleep', ['600'], { detached: true, stdio: 'ignore', env: {} })
appendFileSync(process.env.PIDS ?? '', process.pid + '\\n' + daemon.pid + '\\n')
setInterval(() => {}, 1000)
`

/** Resolves with the pids of the program and of its daemon once `pidsFile` has both. When `job` has ended before, or after two minutes, closes it and rejects with what it has shown. */
export async function hangingPids(pidsFile: string, job: Job): Promise<[program: number, daemon: number]> {
  const waited = waitFor('the program to run', () => job.ended() || noted(pidsFile), { deadlineMs: 120_000 })
  const pids = await waited.catch(() => true as const) // told below
  if (pids !== true) return pids
  await job.close()
  throw new Error(`the program does not run; shown was:\n${job.shown()}`)
}

function noted(pidsFile: string): [program: number, daemon: number] | null {
  if (!existsSync(pidsFile)) return null
  const [program, daemon] = readFileSync(pidsFile, 'utf8').split('\n').filter(Boolean).map(Number)
  return program === undefined || daemon === undefined ? null : [program, daemon]
}
