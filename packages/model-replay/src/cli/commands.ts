/** The commands, once it is clear what they are to do. Each resolves with an exit code. */
import { resolve } from 'node:path'
import { stringify } from 'yaml'
import type { ReplayMode } from '../record/mode.ts'
import { openRecordedServer } from '../record/recorded-server.ts'
import { requestRows, requestTable } from '../report/request-table.ts'
import { scriptSchema, validateScript } from '../script/validate.ts'
import type { RecordedRequest } from '../serve/records.ts'
import { openServer } from '../serve/server.ts'
import { modelEnv } from '../service.ts'
import { scriptFromSessions } from '../session-log/script-from-sessions.ts'
import { runBeside, untilStopped } from './run-beside.ts'

/** Where a command writes; a line each. */
export interface Output {
  readonly out: (line: string) => void
  readonly err: (line: string) => void
}

/** Says of each script whether it can be used. 1 when one can't. */
export async function validate(files: readonly string[], { out, err }: Output): Promise<number> {
  let code = 0
  for (const file of files) {
    const problems = await validateScript(file)
    if (problems.length === 0) out(`${file}: can be used`)
    else {
      code = 1
      err(`${file}: can't be used\n${problems.map((one) => `  - ${one}`).join('\n')}`)
    }
  }
  return code
}

/** Prints the script that answers again what stored sessions were answered, and on the other stream what is not in it. */
export async function fromSessions(
  paths: readonly string[],
  exactResults: boolean,
  { out, err }: Output,
): Promise<number> {
  const { script, notes } = await scriptFromSessions(paths, { exactResults })
  out(stringify(script, { lineWidth: 0 }).trimEnd())
  for (const note of notes) err(`model-replay: ${note}`)
  return 0
}

/** Prints the JSON Schema of scripts. */
export function schema({ out }: Output): number {
  out(JSON.stringify(scriptSchema(), null, 2))
  return 0
}

interface Served {
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  deviations(): string | undefined
  close(): Promise<void>
}

/** Plays a script beside `command`, or until a signal when there is none. */
export async function serveScript(
  options: { readonly script: string; readonly port: number; readonly command: readonly string[] },
  output: Output,
): Promise<number> {
  const { server } = await openServer({ script: options.script, port: options.port, log: output.err })
  return beside(server, `plays ${resolve(options.script)}`, false, options.command, output)
}

/** Plays or makes a recording beside `command`, or until a signal when there is none. */
export async function serveRecording(
  options: {
    readonly recording: string
    readonly mode: ReplayMode
    readonly upstream: string | undefined
    readonly redact: readonly string[]
    readonly port: number
    readonly command: readonly string[]
  },
  output: Output,
): Promise<number> {
  const { recording, mode, upstream, redact, port, command } = options
  const patterns = redact.map((pattern) => new RegExp(pattern, 'g'))
  const { server } = await openRecordedServer({
    recording,
    mode,
    redact: patterns,
    port,
    ...(upstream === undefined ? {} : { upstream }),
  })
  const does = mode === 'replay' ? 'plays' : `${mode}s`
  return beside(server, `${does} ${resolve(recording)}`, mode !== 'replay', command, output)
}

async function beside(
  server: Served,
  what: string,
  records: boolean,
  command: readonly string[],
  { out, err }: Output,
): Promise<number> {
  const say = command.length === 0 ? out : err
  say(`model-replay: ${what} at ${server.url}`)
  const code = command.length === 0 ? await untilStopped() : await runBeside(command, modelEnv(server.url, records))
  await server.close()
  const table = requestTable(requestRows(server.requests))
  if (table !== '') say(table)
  const deviations = server.deviations()
  if (deviations === undefined) return code
  err(deviations)
  return code === 0 ? 1 : code
}
