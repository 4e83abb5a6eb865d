/** The part of the cache-truth table that is checked side by side: one project for each row, each with everything that a smoke can read. */
import { rm, symlink, utimes } from 'node:fs/promises'
import { app, smokeTarget } from './app.ts'
import { json, type Scratch } from './scratch.ts'

/** One change and what it must mean for a verdict that is already in the cache. */
export interface Row {
  readonly change: string
  readonly must: 'hit' | 'miss'
  /** Where the change is made. `name` is that of the row's project. */
  readonly apply: (workspace: Scratch, name: string) => Promise<unknown>
  /** The row's target, when it is another one than `smoke`. */
  readonly target?: Record<string, unknown>
  /** The row is checked on the twin for CI, in mode lib. */
  readonly ci?: true
}

const append =
  (file: string, text = '\n// changed\n') =>
  async (workspace: Scratch, name: string) => {
    const path = file.replaceAll('<name>', name)
    await workspace.write(path, `${await workspace.read(path)}${text}`)
  }
const yaml = (file: string) => append(file, '\n# changed\n')
const option = (options: Record<string, unknown>) => (workspace: Scratch, name: string) =>
  workspace.write(`packages/${name}/project.json`, projectJson(name, smokeTarget({ ...given(name), ...options })))

/** The options of a row's target. */
function given(name: string): Record<string, unknown> {
  return { model: { script: `models/${name}.yml` }, env: { WORD: 'a ' } }
}

const built = { ci: true } as const

/** Every row. Modes: `src` unless `ci`. */
export const rows: readonly Row[] = [
  { change: 'the bin', must: 'miss', apply: append('packages/<name>/src/bin.ts') },
  { change: 'a source that the bin imports', must: 'miss', apply: append('packages/<name>/src/greeting.ts') },
  { change: 'the config', must: 'miss', apply: yaml('packages/<name>/cordis.yml') },
  {
    change: 'a config that the config includes, in another folder',
    must: 'miss',
    apply: yaml('shared/<name>/base.yml'),
  },
  { change: 'a patch file that the included config names', must: 'miss', apply: yaml('shared/<name>/patch.yml') },
  { change: 'a prompt in a folder that the config names', must: 'miss', apply: yaml('shared/<name>/skills/one.md') },
  {
    change: 'a new file in a folder that the config names',
    must: 'miss',
    apply: (w, name) => w.write(`shared/${name}/skills/two.md`, ''),
  },
  {
    change: 'a file beside the included config that nothing names',
    must: 'hit',
    apply: yaml('shared/<name>/unread.yml'),
  },
  { change: 'the model script, outside of the project', must: 'miss', apply: yaml('models/<name>.yml') },
  { change: "another smoke's model script", must: 'hit', apply: yaml('models/other.yml') },
  { change: 'the source of a declared dependency', must: 'miss', apply: append('packages/<name>-dep/src/index.ts') },
  {
    change: 'the source of a dependency of a dependency',
    must: 'miss',
    apply: append('packages/<name>-deep/src/index.ts'),
  },
  {
    change: 'a source behind a path map that no package.json declares',
    must: 'miss',
    apply: append('mapped/<name>/index.ts'),
  },
  { change: 'what that source imports', must: 'miss', apply: append('mapped/<name>/inner.ts') },
  { change: 'a source beside it that nothing imports', must: 'hit', apply: append('mapped/<name>/unread.ts') },
  {
    change: 'a source that is imported by a path out of the project',
    must: 'miss',
    apply: append('shared/<name>/outside.ts'),
  },
  { change: 'a plugin that only the config names', must: 'miss', apply: append('plugins/<name>/index.ts') },
  { change: "the project's tsconfig", must: 'miss', apply: append('packages/<name>/tsconfig.json', ' ') },
  {
    change: 'a tsconfig that it extends, in another folder',
    must: 'miss',
    apply: append('shared/<name>/tsconfig.json', ' '),
  },
  { change: "the project's package.json", must: 'miss', apply: append('packages/<name>/package.json', ' ') },
  {
    change: 'a new source in the project',
    must: 'miss',
    apply: (w, name) => w.write(`packages/${name}/src/new.ts`, ''),
  },
  {
    change: 'a config that git ignores',
    must: 'miss',
    apply: yaml('packages/<name>/local/ignored.yml'),
    target: smokeTarget({ config: '{projectRoot}/local/ignored.yml' }),
  },
  {
    change: 'the file that an argument names',
    must: 'miss',
    apply: yaml('models/<name>.yml'),
    target: {
      executor: '@loader-smoke/nx:smoke',
      options: { bin: '{projectRoot}/src/bin.ts', args: ['{projectRoot}/cordis.yml', 'models/<name>.yml'] },
    },
  },
  { change: 'option task', must: 'miss', apply: option({ task: 'Say something else.' }) },
  { change: 'option processTimeoutMs', must: 'miss', apply: option({ processTimeoutMs: 29_000 }) },
  { change: 'option timeout, its other name', must: 'miss', apply: option({ timeout: 29_000 }) },
  { change: 'option expect', must: 'miss', apply: option({ expect: { output: 'hello' } }) },
  { change: 'option turn', must: 'miss', apply: option({ turn: { output: 'hello' } }) },
  { change: 'option env', must: 'miss', apply: option({ env: { WORD: 'b ' } }) },
  { change: 'option envMode', must: 'miss', apply: option({ envMode: 'inherit' }) },
  { change: 'option graceMs', must: 'miss', apply: option({ graceMs: 1_000 }) },
  { change: 'option homes', must: 'miss', apply: option({ homes: { X_HOME: '.x' } }) },
  { change: 'option sourceImport', must: 'miss', apply: option({ sourceImport: 'tsx/esm' }) },
  { change: 'option model.script', must: 'miss', apply: option({ model: { script: 'models/other.yml' } }) },
  // Nx has a project's whole configuration in every key.
  {
    change: "another target of the project's project.json",
    must: 'miss',
    apply: (workspace, name) =>
      workspace.write(
        `packages/${name}/project.json`,
        projectJson(name, smokeTarget(given(name)), { other: { executor: 'nx:noop' } }),
      ),
  },
  {
    change: "the format of the project's project.json",
    must: 'hit',
    apply: append('packages/<name>/project.json', ' \n'),
  },
  { change: "the project's README", must: 'hit', apply: (w, name) => w.write(`packages/${name}/README.md`, 'changed') },
  { change: 'a spec of the project', must: 'hit', apply: append('packages/<name>/src/bin.spec.ts') },
  {
    change: 'a report of an earlier run',
    must: 'hit',
    apply: (w, name) => w.write(`packages/${name}/.smoke/smoke/other.json`, '{}'),
  },
  { change: 'an unrelated project', must: 'hit', apply: append('packages/unrelated/src/bin.ts') },
  { change: "a comment in an unrelated project's config", must: 'hit', apply: yaml('packages/unrelated/cordis.yml') },
  { change: 'a new file at the root', must: 'hit', apply: (w, name) => w.write(`notes-${name}.txt`, '') },
  {
    change: 'the time stamp of the bin',
    must: 'hit',
    apply: (w, name) => utimes(w.file(`packages/${name}/src/bin.ts`), 1, 1),
  },
  { change: 'lib: a source', must: 'miss', apply: append('packages/<name>/src/greeting.ts'), ...built },
  { change: 'lib: the config', must: 'miss', apply: yaml('packages/<name>/cordis.yml'), ...built },
  {
    change: 'lib: the built output alone, through what the build reads',
    must: 'miss',
    apply: append('shared/<name>/banner.txt'),
    ...built,
  },
  { change: 'src: the built output alone', must: 'hit', apply: append('shared/<name>/banner.txt') },
  {
    change: "lib: a dependency's built output alone",
    must: 'miss',
    apply: append('shared/<name>/dep-banner.txt'),
    ...built,
  },
  {
    change: 'lib: built output that no target of Nx makes',
    must: 'miss',
    apply: append('packages/<name>-dep/build/extra.js'),
    ...built,
  },
  {
    change: "lib: the project's README",
    must: 'hit',
    apply: (w, name) => w.write(`packages/${name}/README.md`, 'changed'),
    ...built,
  },
]

/** The name of a row's project. */
export function projectOf(row: Row): string {
  return `row-${rows.indexOf(row)}`
}

/** The files of every row's project. */
export function projects(): Record<string, string> {
  const files: Record<string, string> = {
    ...app('unrelated', {}),
    'models/other.yml': script,
    'tsconfig.base.json': tsconfig(),
  }
  for (const row of rows) Object.assign(files, project(projectOf(row), row.target))
  return files
}

/** Links that a package manager would make: packages that are declared, and one that nobody declares. */
export async function link(workspace: Scratch): Promise<void> {
  for (const row of rows) {
    const name = projectOf(row)
    for (const [linked, folder] of [
      [`${name}-dep`, `packages/${name}-dep`],
      [`${name}-deep`, `packages/${name}-deep`],
      [`plugin-${name}`, `plugins/${name}`],
    ] as const) {
      await rm(workspace.file('node_modules', linked), { force: true })
      await symlink(`../${folder}`, workspace.file('node_modules', linked), 'dir')
    }
  }
}

const script = 'turns: [{ text: From the model. }]\n'

/** What the sources are resolved with: dependencies are declared and mapped, as in this repository; `@mapped/…` is declared nowhere. */
function tsconfig(): string {
  const dependencies = rows.map(projectOf).map((name) => [`${name}-dep`, [`./packages/${name}-dep/src/index.ts`]])
  const paths = {
    ...Object.fromEntries(dependencies),
    '@mapped/*': ['./mapped/*/index.ts'],
    '@loader-smoke/*': ['./packages/*/src/index.ts'],
  }
  return json({ extends: './tsconfig.root.json', compilerOptions: { paths } })
}

function projectJson(name: string, target: Record<string, unknown>, more: Record<string, unknown> = {}): string {
  const build = (banner: string, command: string) => ({
    executor: 'nx:run-commands',
    cache: true,
    dependsOn: ['^build'],
    inputs: ['{projectRoot}/src/**/*', `{workspaceRoot}/shared/${name}/${banner}`],
    outputs: ['{projectRoot}/lib'],
    options: { command, cwd: '{projectRoot}' },
  })
  const command = `node build.mjs && node -e "require('fs').copyFileSync('../../shared/${name}/banner.txt', 'lib/banner.txt')"`
  return json({ name, targets: { build: build('banner.txt', command), smoke: target, ...more } })
}

function project(name: string, target = smokeTarget(given(name))): Record<string, string> {
  const files = app(name, {})
  const at = (file: string) => `packages/${name}/${file}`
  const manifest = JSON.parse(files[at('package.json')] ?? '') as { dependencies: object }
  const depBuild = `node -e "fs = require('fs'); fs.mkdirSync('lib', { recursive: true }); fs.copyFileSync('src/index.ts', 'lib/index.js'); fs.copyFileSync('../../shared/${name}/dep-banner.txt', 'lib/banner.txt')"`
  return {
    ...files,
    [at('package.json')]: json({ ...manifest, dependencies: { ...manifest.dependencies, [`${name}-dep`]: '*' } }),
    [at('project.json')]: projectJson(
      name,
      JSON.parse(JSON.stringify(target).replaceAll('<name>', name)) as Record<string, unknown>,
    ),
    [at('tsconfig.json')]: json({ extends: [`../../shared/${name}/tsconfig.json`] }),
    [at('src/greeting.ts')]: `// mapped/${name} and shared/${name} are loaded in mode src only
import { word } from '${name}-dep'
export const greeting = word
if (/[.]ts$/.test(import.meta.url)) {
  await import('@mapped/${name}')
  await import('../../../shared/${name}/outside.ts')
}
`,
    [at('src/bin.spec.ts')]: '',
    [at('cordis.yml')]: `# hello\n- include: ../../shared/${name}/base.yml\n- name: plugin-${name}\n`,
    [at('local/ignored.yml')]: '# hello\n',
    [`shared/${name}/base.yml`]: `patches: [./patch.yml]\nskills: ./skills\n`,
    [`shared/${name}/patch.yml`]: '# nothing\n',
    [`shared/${name}/unread.yml`]: '',
    [`shared/${name}/skills/one.md`]: 'one\n',
    [`shared/${name}/outside.ts`]: 'export {}\n',
    [`shared/${name}/tsconfig.json`]: json({ extends: '../../tsconfig.base.json' }),
    [`shared/${name}/banner.txt`]: 'banner\n',
    [`shared/${name}/dep-banner.txt`]: 'banner\n',
    [`models/${name}.yml`]: script,
    [`mapped/${name}/index.ts`]: "export * from './inner.ts'\n",
    [`mapped/${name}/inner.ts`]: 'export const inner = 1\n',
    [`mapped/${name}/unread.ts`]: '',
    [`plugins/${name}/package.json`]: json({ name: `plugin-${name}`, version: '1.0.0' }),
    [`plugins/${name}/index.ts`]: '',
    [`packages/${name}-dep/package.json`]: json({
      name: `${name}-dep`,
      version: '1.0.0',
      type: 'module',
      exports: { '@loader-smoke/source': './src/index.ts', default: './lib/index.js' },
      dependencies: { [`${name}-deep`]: '*' },
    }),
    [`packages/${name}-dep/project.json`]: json({
      name: `${name}-dep`,
      targets: {
        build: {
          executor: 'nx:run-commands',
          cache: true,
          inputs: ['{projectRoot}/src/**/*', `{workspaceRoot}/shared/${name}/dep-banner.txt`],
          outputs: ['{projectRoot}/lib'],
          options: { command: depBuild, cwd: '{projectRoot}' },
        },
      },
    }),
    [`packages/${name}-dep/src/index.ts`]: "export const word = 'hello'\n",
    [`packages/${name}-dep/build/extra.js`]: '',
    [`packages/${name}-deep/package.json`]: json({ name: `${name}-deep`, version: '1.0.0', type: 'module' }),
    [`packages/${name}-deep/src/index.ts`]: 'export {}\n',
  }
}
