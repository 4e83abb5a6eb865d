/** Checks the options that a smoke has only where it is declared: in a file, or in a target of a task runner. Pure. */
import { notAllowed } from './option-error.ts'
import { nameOf, type WrittenNames } from './written-names.ts'

/** @throws OptionError for the first of `task`, `model` and `passEnv` that is wrong; what is missing is not looked for. */
export function checkDeclared(options: Readonly<Record<string, unknown>>, names: WrittenNames): void {
  const { task, model, passEnv } = options
  if (task !== undefined) checkTask(nameOf('task', names), task)
  if (model !== undefined) checkModel(nameOf('model', names), model)
  if (passEnv !== undefined) checkPassEnv(nameOf('passEnv', names), passEnv)
}

function checkTask(name: string, task: unknown): void {
  if (typeof task !== 'string' || task.trim() === '' || task.includes('\0'))
    throw notAllowed(name, 'a text that is not empty', task, 'say what the root agent shall do, or leave it out.')
}

function checkModel(name: string, model: unknown): void {
  const allowed = '{ "script": "<file>" } or { "recording": "<file>" }'
  const next = 'name the file that the model server answers from, or the recording that it plays.'
  if (typeof model !== 'object' || model === null || Array.isArray(model)) throw notAllowed(name, allowed, model, next)
  const unknown = Object.keys(model).find((field) => field !== 'script' && field !== 'recording')
  if (unknown !== undefined)
    throw notAllowed(`a name in ${name}`, 'script or recording', unknown, 'take it out, or correct its name.')
  const given = Object.entries(model).filter(([, path]) => path !== undefined)
  const [first, second] = given
  if (first === undefined) throw notAllowed(name, allowed, model, next)
  if (second !== undefined) throw notAllowed(name, `${allowed}, not both`, model, 'take one of them out.')
  const [field, path] = first as [string, unknown]
  if (typeof path !== 'string' || path === '' || path.includes('\0'))
    throw notAllowed(`${name}.${field}`, 'a path that is not empty', path, next)
}

function checkPassEnv(name: string, passEnv: unknown): void {
  const next = 'for instance ["MY_FLAG"].'
  if (!Array.isArray(passEnv)) throw notAllowed(name, 'a list of environment names', passEnv, next)
  for (const [index, entry] of (passEnv as unknown[]).entries())
    if (typeof entry !== 'string' || entry === '' || /[=\0]/.test(entry))
      throw notAllowed(`${name}[${index}]`, "an environment name without '='", entry, next)
}
