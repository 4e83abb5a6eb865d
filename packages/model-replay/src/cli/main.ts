/** Reads the command line. Wrong use is said before anything starts, with exit code 2. */
import { parseArgs } from 'node:util'
import { RecordingError } from '../record/recording-file.ts'
import { ScriptError } from '../script/load.ts'
import { nearestWord } from '../script/nearest-word.ts'
import { fromSessions, type Output, schema, serveRecording, serveScript, validate } from './commands.ts'
import { SessionLogError } from '../session-log/session-log-error.ts'
import { CommandError } from './run-beside.ts'

export const HELP = `model-replay: a loopback model server for agents without a key

  model-replay serve SCRIPT [-- COMMAND ...]         play a script
  model-replay replay RECORDING [-- COMMAND ...]     play a recording
  model-replay record RECORDING --upstream URL [-- COMMAND ...]
                                                     make a recording in front of a provider
  model-replay update RECORDING --upstream URL [-- COMMAND ...]
                                                     record only what the file does not have
  model-replay validate SCRIPT ...                   check scripts without a run
  model-replay from-sessions PATH ...                print the script that answers again what stored sessions were
                                                     answered; PATH: a session.jsonl, or a folder with some in it
  model-replay schema                                print the JSON Schema of scripts

  --port N         listen on this port of 127.0.0.1 (default: a free one)
  --upstream URL   what stands before the path that the client asks for, such as https://api.openai.com
  --exact-results  from-sessions: each request must bring the tool results of the log, word for word
  --redact REGEXP  a further text that a recording must not keep; may be repeated
  --help           this text

With a COMMAND the server runs beside it; its address is in the command's environment as LOADER_SMOKE_MODEL_URL,
OPENAI_BASE_URL, ANTHROPIC_BASE_URL and DEEPSEEK_BASE_URL. Without one it runs until a signal.
The exit code is the command's; 1 when the script was not played as written; 2 for wrong use.`

/** Wrong use of the command line. */
class UsageError extends Error {
  override readonly name = 'UsageError'
}

const COMMANDS = ['serve', 'replay', 'record', 'update', 'validate', 'from-sessions', 'schema']

/** Runs the command line `argv` (without node and program). Resolves with the exit code; rejects only for errors of its own. */
export async function main(argv: readonly string[], output: Output): Promise<number> {
  try {
    return await run(argv, output)
  } catch (error) {
    if (!isExpected(error)) throw error
    output.err(error.message)
    return error instanceof UsageError ? 2 : 1
  }
}

async function run(argv: readonly string[], output: Output): Promise<number> {
  const end = argv.indexOf('--')
  const [own, command] = end === -1 ? [argv, []] : [argv.slice(0, end), argv.slice(end + 1)]
  const { values, positionals } = parse(own)
  const [name, ...files] = positionals
  if (values.help || name === undefined) {
    output.out(HELP)
    return name === undefined && !values.help ? 2 : 0
  }
  const { upstream, redact = [] } = values
  const port = readPort(values.port)
  switch (name) {
    case 'serve':
      return serveScript({ script: oneFile(name, files), port, command }, output)
    case 'replay':
    case 'record':
    case 'update':
      if (name !== 'replay' && upstream === undefined)
        throw new UsageError(
          `model-replay: ${name} needs --upstream, the provider's address, such as --upstream https://api.openai.com.`,
        )
      return serveRecording({ recording: oneFile(name, files), mode: name, upstream, redact, port, command }, output)
    case 'validate':
      if (files.length === 0) throw new UsageError('model-replay: validate needs the paths of scripts, got none.')
      return validate(files, output)
    case 'from-sessions':
      if (files.length === 0)
        throw new UsageError(
          'model-replay: from-sessions needs the paths of session logs, or folders with some, got none.',
        )
      return fromSessions(files, values['exact-results'] === true, output)
    case 'schema':
      return schema(output)
    default: {
      const near = nearestWord(name, COMMANDS)
      throw new UsageError(
        `model-replay: there is no command ${JSON.stringify(name)}${near === undefined ? '' : ` (did you mean ${near}?)`}; expected one of ${COMMANDS.join(', ')}.`,
      )
    }
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        upstream: { type: 'string' },
        redact: { type: 'string', multiple: true },
        'exact-results': { type: 'boolean' },
        help: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new UsageError(`model-replay: ${(error as Error).message}`, { cause: error })
  }
}

function readPort(text: string | undefined): number {
  if (text === undefined) return 0
  const port = /^\d+$/.test(text) ? Number(text) : NaN
  if (!(port <= 65_535))
    throw new UsageError(`model-replay: --port is ${JSON.stringify(text)}; expected a whole number from 0 to 65535.`)
  return port
}

function oneFile(name: string, files: readonly string[]): string {
  const [file] = files
  if (file === undefined || files.length > 1)
    throw new UsageError(`model-replay: ${name} needs one file, got ${files.length}.`)
  return file
}

/** Errors that say all there is to say; a stack would only hide it. */
function isExpected(error: unknown): error is Error {
  if (error instanceof UsageError || error instanceof ScriptError || error instanceof SessionLogError) return true
  if (error instanceof RecordingError || error instanceof CommandError) return true
  if (error instanceof SyntaxError && error.message.startsWith('Invalid regular expression')) return true
  if (error instanceof TypeError || error instanceof RangeError) return error.message.startsWith('model-replay: ')
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
}
