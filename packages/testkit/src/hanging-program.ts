/** A program that only its supervisor ends, daemon included. */
import { readFileSync } from 'node:fs'
import { waitFor } from './wait-for.ts'

/** Its source: never ends by itself, and has a daemon with a session of its own and nothing in its environment. Both pids are written to the file in PIDS. */
export const hangingProgram = `
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
const daemon = spawn('/bin/sleep', ['600'], { detached: true, stdio: 'ignore', env: {} })
appendFileSync(process.env.PIDS ?? '', process.pid + '\\n' + daemon.pid + '\\n')
setInterval(() => {}, 1000)
`

/** Resolves with the pids of the program and of its daemon once `pidsFile` has both. Rejects with what `shown` gives after two minutes. */
export async function hangingPids(pidsFile: string, shown: () => string): Promise<[program: number, daemon: number]> {
  try {
    return await waitFor(
      'the program to run',
      () => {
        const [program, daemon] = readFileSync(pidsFile, 'utf8').split('\n').filter(Boolean).map(Number)
        return program === undefined || daemon === undefined ? null : ([program, daemon] as [number, number])
      },
      { deadlineMs: 120_000 },
    )
  } catch (cause) {
    throw new Error(`the program does not run; shown was:\n${shown()}`, { cause })
  }
}
