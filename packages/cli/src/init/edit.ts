/** From the files of a package to the ones it needs for smokes. Pure: contents in, contents out; null where nothing changes. */

/** The scripts of package.json. The output folders differ, since a task restores its own from the cache. */
export const SCRIPTS = {
  smoke: 'loader-smoke run --output .smoke/src',
  'smoke:lib': 'loader-smoke run --mode lib --output .smoke/lib',
} as const

/** The tasks of turbo.json. `transit` makes the sources of dependencies part of the key without building them. */
export const TURBO_TASKS = {
  transit: { dependsOn: ['^transit'] },
  smoke: {
    dependsOn: ['transit'],
    inputs: ['$TURBO_DEFAULT$', '$TURBO_ROOT$/tsconfig*.json'],
    env: ['DSH_*', 'LOADER_SMOKE_*'],
    outputs: ['.smoke/src/**'],
  },
  'smoke:lib': {
    dependsOn: ['build'],
    inputs: ['$TURBO_DEFAULT$', '$TURBO_ROOT$/tsconfig*.json'],
    env: ['DSH_*', 'LOADER_SMOKE_*'],
    outputs: ['.smoke/lib/**'],
  },
} as const

/** What a fixture is written with; paths relative to the package. */
export interface NewFixture {
  /** Path of the schema as the file names it. */
  readonly schema: string
  readonly label: string
  readonly bin: string
  readonly config?: string
  readonly task?: string
}

/** The text of a new smoke.config.json. */
export function newSmokeConfig({ schema, label, bin, config, task }: NewFixture): string {
  return toJson({
    $schema: schema,
    label,
    bin,
    ...(config !== undefined && { config }),
    task: task ?? 'Say hello.',
  })
}

/** `package.json` with the scripts; one that is there stays. @throws SyntaxError for no JSON. */
export function withScripts(text: string): string | null {
  const manifest = JSON.parse(text) as { readonly scripts?: Readonly<Record<string, string>> }
  const scripts = { ...SCRIPTS, ...manifest.scripts }
  if (Object.keys(SCRIPTS).every((name) => manifest.scripts?.[name] !== undefined)) return null
  return toJson({ ...manifest, scripts: { ...manifest.scripts, ...scripts } }, indentOf(text))
}

/** `turbo.json` with the tasks; one that is there stays. @throws SyntaxError for no JSON, comments included. */
export function withTurboTasks(text: string): string | null {
  const turbo = JSON.parse(text) as { readonly tasks?: Readonly<Record<string, unknown>> }
  if (Object.keys(TURBO_TASKS).every((name) => turbo.tasks?.[name] !== undefined)) return null
  return toJson({ ...turbo, tasks: { ...turbo.tasks, ...withoutKnown(TURBO_TASKS, turbo.tasks) } }, indentOf(text))
}

/** `.gitignore` with these folders. */
export function withIgnored(text: string, folders: readonly string[]): string | null {
  const missing = folders.filter((folder) => !ignores(text, folder))
  if (missing.length === 0) return null
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${missing.map((folder) => `${folder}/\n`).join('')}`
}

/** Whether the text of a `.gitignore` has a line for the folder, wherever that lies. */
export function ignores(text: string, folder: string): boolean {
  return text.split(/\r?\n/).some((line) => line.trim().replace(/^(?:\*\*)?\/|\/(?:\*\*?)?$/g, '') === folder)
}

function withoutKnown(wanted: object, known: object = {}): object {
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => !Object.hasOwn(known, name)))
}

function indentOf(text: string): string {
  return /^([ \t]+)"/m.exec(text)?.[1] ?? '  '
}

function toJson(value: unknown, indent = '  '): string {
  return `${JSON.stringify(value, null, indent)}\n`
}
