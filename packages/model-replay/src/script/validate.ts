/** Checks scripts without running them. */
import { toJsonSchema } from './shape.ts'
import { loadScript, ScriptError } from './load.ts'
import { type ScriptObject, scriptShape } from './schema.ts'

/** Every problem of a script, one sentence each; empty when it can be used. Relative paths are relative to the working directory. */
export async function validateScript(script: string | ScriptObject): Promise<readonly string[]> {
  try {
    await loadScript(script)
    return []
  } catch (error) {
    if (error instanceof ScriptError) return error.problems
    throw error
  }
}

/** The JSON Schema (draft-07) of script files; published as `@loader-smoke/model-replay/script.schema.json`. */
export function scriptSchema(): Record<string, unknown> {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'model-replay script',
    ...toJsonSchema(scriptShape),
  }
}
