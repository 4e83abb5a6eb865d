/** The part of the cache-truth table that is checked side by side: each row has a project of its own. */
import { utimes } from 'node:fs/promises'
import type { GivenOptions } from '../src/declared/names.ts'
import { smokeTarget } from './app.ts'
import { optionChanges } from './cache-truth-options.ts'
import { given, named, projectJson } from './cache-truth-projects.ts'
import type { Scratch } from './scratch.ts'

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
const option = (options: GivenOptions) => (workspace: Scratch, name: string) => {
  const target =
    'smokeConfig' in options
      ? { executor: '@loader-smoke/nx:smoke', options }
      : smokeTarget({ ...given(name), ...options })
  return workspace.write(`packages/${name}/project.json`, projectJson(name, named(target, name)))
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
  ...Object.entries(optionChanges).map(([name, { from, to }]) => ({
    change: `option ${name}`,
    must: 'miss' as const,
    apply: option(to),
    ...(from === undefined ? {} : { target: { executor: '@loader-smoke/nx:smoke', options: from } }),
  })),
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
