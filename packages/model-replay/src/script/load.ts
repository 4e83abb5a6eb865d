/** Reads a script from a file or from code, and refuses it with every problem named. */
import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { checkMeaning } from './check-meaning.ts'
import { checkShape } from './check-shape.ts'
import { type ScriptObject, scriptShape } from './schema.ts'
import { resolveScript, type Script } from './script.ts'

/** A script that can't be used. `problems` has one sentence for each thing wrong; `source` is the file, or "script". */
export class ScriptError extends Error {
  override readonly name = 'ScriptError'
  readonly source: string
  readonly problems: readonly string[]

  constructor(source: string, problems: readonly string[], options?: ErrorOptions) {
    super(
      `model-replay: ${source} can't be used as a script:\n${problems.map((one) => `  - ${one}`).join('\n')}`,
      options,
    )
    this.source = source
    this.problems = problems
  }
}

/**
 * Loads a script: a path of a .yml, .yaml or .json file (relative to the working directory), or the data itself.
 * @throws ScriptError when the file can't be read or parsed, or when the data is no script; all problems at once.
 */
export async function loadScript(script: string | ScriptObject): Promise<Script> {
  if (typeof script !== 'string') return fromData(script, 'script')
  const file = resolve(script)
  return fromData(parse(file, await read(file), await parserFor(file)), file)
}

function fromData(data: unknown, source: string): Script {
  checkFinite(data, source)
  const problems = checkShape(data, scriptShape)
  if (problems.length > 0) throw new ScriptError(source, problems)
  const script = data as ScriptObject
  const contradictions = checkMeaning(script)
  if (contradictions.length > 0) throw new ScriptError(source, contradictions)
  return resolveScript(script, source)
}

/** Aliases of YAML can make data that holds itself; nothing after this expects that. */
function checkFinite(data: unknown, source: string): void {
  try {
    JSON.stringify(data)
  } catch (error) {
    const [reason] = (error as Error).message.split('\n', 1)
    throw new ScriptError(source, [`it is no plain data: ${reason}.`], { cause: error })
  }
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'there is no such file' : `it can't be read (${code})`
    throw new ScriptError(file, [`${reason}. Next: correct the path of the script.`], { cause: error })
  }
}

async function parserFor(file: string): Promise<(text: string) => unknown> {
  switch (extname(file)) {
    case '.json':
      return JSON.parse
    case '.yml':
    case '.yaml': {
      // Imported here because it is slow to load and a JSON script, or one given in code, doesn't need it.
      const { parse } = await import('yaml')
      return (text) => parse(text, { maxAliasCount: 100, logLevel: 'error' })
    }
    default:
      throw new ScriptError(file, [`its name ends in ${JSON.stringify(extname(file))}; expected .yml, .yaml or .json.`])
  }
}

function parse(file: string, text: string, parser: (text: string) => unknown): unknown {
  try {
    return parser(text)
  } catch (error) {
    throw new ScriptError(file, [(error as Error).message], { cause: error })
  }
}
