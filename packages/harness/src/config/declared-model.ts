/** The model server of a declared smoke: what its file says, and what the server is started with. Pure. */
import { OptionError } from './option-error.ts'
import { writtenAs, type WrittenNames } from './written-names.ts'

/** As it is written: a script that the server answers from, or a recording that it plays. */
export type DeclaredModel = { readonly script: string } | { readonly recording: string }

/** Options of `modelService`, with an absolute path. A recording is only played, whatever the environment says: a smoke that is judged must not make it. */
export type FixtureModel = { readonly script: string } | { readonly recording: string; readonly mode: 'replay' }

/** `model`, with its path put through `toPath`. */
export function toFixtureModel(model: DeclaredModel, toPath: (path: string) => string = (path) => path): FixtureModel {
  return 'recording' in model
    ? { recording: toPath(model.recording), mode: 'replay' }
    : { script: toPath(model.script) }
}

/** The file of `model`, and where it is written within the option. */
export function modelFile(model: DeclaredModel): { readonly path: string; readonly field: '.script' | '.recording' } {
  return 'recording' in model
    ? { path: model.recording, field: '.recording' }
    : { path: model.script, field: '.script' }
}

/** The error for a file of `model` that its server can't use, and why. */
export function unusableModel(model: DeclaredModel, cause: unknown, names: WrittenNames): OptionError {
  const { field } = modelFile(model)
  const why = cause instanceof Error ? cause.message : String(cause)
  return new OptionError('model', `${writtenAs('model', names)}${field} can't be used: ${why}`, cause)
}
