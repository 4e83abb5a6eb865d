/** The projects of the cache-truth table, each with everything that a smoke can read. */
import { rm, symlink } from 'node:fs/promises'
import type { GivenOptions } from '../src/declared/names.ts'
import { app, smokeTarget } from './app.ts'
import { json, type Scratch } from './scratch.ts'

/** The files of all projects: name of each → its target, when that is not the one of every project. */
export function projects(targets: ReadonlyMap<string, GivenOptions | undefined>): Record<string, string> {
  const files: Record<string, string> = {
    ...app('unrelated', {}),
    'models/other.yml': script,
    'tsconfig.base.json': tsconfig([...targets.keys()]),
  }
  for (const [name, target] of targets) Object.assign(files, project(name, target))
  return files
}

/** Links that a package manager would make: packages that are declared, and one that nobody declares. */
export async function link(workspace: Scratch, names: Iterable<string>): Promise<void> {
  for (const name of names) {
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
function tsconfig(names: readonly string[]): string {
  const dependencies = names.map((name) => [`${name}-dep`, [`./packages/${name}-dep/src/index.ts`]])
  const paths = {
    ...Object.fromEntries(dependencies),
    '@mapped/*': ['./mapped/*/index.ts'],
    '@loader-smoke/*': ['./packages/*/src/index.ts'],
  }
  return json({ extends: './tsconfig.root.json', compilerOptions: { paths } })
}

/** The `project.json` of a project whose `smoke` is `target`, with `more` targets beside it. */
export function projectJson(name: string, target: GivenOptions, more: Record<string, unknown> = {}): string {
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

/** A smoke file below `shared/<name>` with a fixture for each label. */
function smokeFile(name: string, labels: readonly string[], up = ''): string {
  const at = (file: string) => `${up}../../packages/${name}/${file}`
  const fixture = { bin: at('src/bin.ts'), config: at('cordis.yml'), tsConfig: at('tsconfig.json'), task: 'Say hello.' }
  return json({ fixtures: labels.map((label) => ({ label, ...fixture })) })
}

function project(name: string, target: GivenOptions = smokeTarget(given(name))): Record<string, string> {
  const files = app(name, {})
  const at = (file: string) => `packages/${name}/${file}`
  const manifest = JSON.parse(files[at('package.json')] ?? '') as { dependencies: object }
  const depBuild = `node -e "fs = require('fs'); fs.mkdirSync('lib', { recursive: true }); fs.copyFileSync('src/index.ts', 'lib/index.js'); fs.copyFileSync('../../shared/${name}/dep-banner.txt', 'lib/banner.txt')"`
  return {
    ...files,
    [at('package.json')]: json({ ...manifest, dependencies: { ...manifest.dependencies, [`${name}-dep`]: '*' } }),
    [at('project.json')]: projectJson(name, named(target, name)),
    [at('src/other.ts')]: "import './bin.ts'\n",
    [at('other.yml')]: '# other\n',
    [at('tsconfig.other.json')]: json({ extends: './tsconfig.json' }),
    [`shared/${name}/smoke.config.json`]: smokeFile(name, ['one', 'two']),
    [`shared/${name}/other/smoke.config.json`]: smokeFile(name, ['one'], '../'),
    [`shared/${name}/worlds/keep`]: '',
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

/** A target with the project's name in its texts. */
export function named(target: GivenOptions, name: string): Record<string, unknown> {
  return JSON.parse(JSON.stringify(target).replaceAll('<name>', name)) as Record<string, unknown>
}

/** The options of a project's target unless it has others. */
export function given(name: string): Record<string, unknown> {
  return { model: { script: `models/${name}.yml` }, env: { WORD: 'a ' } }
}
