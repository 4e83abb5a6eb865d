import { mkdir, symlink } from 'node:fs/promises'
import { wordsIn } from '@loader-smoke/harness/config'
import { tempWorkspace } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { namedBy } from '../src/plugin/reads.ts'
import { json } from './scratch.ts'

const files = {
  'tsconfig.base.json': '{}',
  'config/strict.json': '{ "extends": "./../tsconfig.base.json", }',
  'packages/app/tsconfig.json': '{ // comment\n "extends": ["../../config/strict", "@tsconfig/node24/tsconfig.json"] }',
  'packages/app/src/bin.ts': '',
  'packages/app/cordis.yml': `
- name: cordis:include
  config: { path: ../../shared/base.yml }
- name: prompts
  config:
    file: ../../shared/my prompt.md
    root: ../../shared/skills # a folder
    up: ../..
    url: https://example.test/../../shared/unread.yml
- name: computed
  config:
    path: !!js "new URL('../../shared/computed.yml', import.meta.url)"
`,
  'shared/base.yml': "- include: './patch.yml'\n- loop: ./base.yml\n",
  'shared/patch.yml': 'script: [../models/hello.yml]\n',
  'shared/my prompt.md': '',
  'shared/computed.yml': '',
  'shared/unread.yml': '',
  'shared/skills/one.md': '',
  'models/hello.yml': '',
  'models/other.yml': '',
}

describe('namedBy', () => {
  it('follows tsconfigs, includes, patches and scripts, in and out of the project', async () => {
    await using workspace = await tempWorkspace(files)
    const options = { binScript: '{projectRoot}/src/bin.ts', configPath: 'packages/app/cordis.yml', cwd: 'models' }
    expect(namedBy(options, { workspaceRoot: workspace.path, projectRoot: 'packages/app' })).toEqual({
      files: [
        'config/strict.json',
        'models/hello.yml',
        'packages/app/cordis.yml',
        'packages/app/src/bin.ts',
        'packages/app/tsconfig.json',
        'shared/base.yml',
        'shared/computed.yml',
        'shared/my prompt.md',
        'shared/patch.yml',
        'tsconfig.base.json',
      ],
      folders: ['shared/skills'],
      outside: [],
    })
  })

  it('takes the TypeScript project of a smoke file where its run takes it from: the nearest above the file', async () => {
    await using workspace = await tempWorkspace({
      'nx.json': '{}',
      'tsconfig.base.json': '{}',
      'packages/tsconfig.base.json': json({ compilerOptions: { paths: { '@lib/*': ['../lib/*.ts'] } } }),
      'packages/app/smoke.config.json': '{}',
      'packages/app/bin.ts': "import '@lib/words'\n",
      'lib/words.ts': '',
    })
    const options = { smokeConfig: '{projectRoot}/smoke.config.json', binScript: '{projectRoot}/bin.ts' }
    expect(namedBy(options, { workspaceRoot: workspace.path, projectRoot: 'packages/app' }).files).toEqual([
      'lib/words.ts',
      'packages/app/bin.ts',
      'packages/app/smoke.config.json',
      'packages/tsconfig.base.json',
    ])
  })

  it('follows a TypeScript project into a package of the workspace that it extends, and into none that is installed', async () => {
    await using workspace = await tempWorkspace({
      'packages/settings/package.json': '{}',
      'packages/settings/base.json': json({ extends: './deep.json' }),
      'packages/settings/deep.json': json({ compilerOptions: { paths: { '@lib/*': ['../../lib/*.ts'] } } }),
      'packages/settings/tsconfig.json': '{}',
      'node_modules/installed/tsconfig.json': '{}',
      'packages/app/tsconfig.json': json({ extends: ['installed', '@my/settings', '@my/settings/base'] }),
      'packages/app/bin.ts': "import '@lib/words'\n",
      'lib/words.ts': '',
    })
    await mkdir(workspace.file('node_modules/@my'))
    await symlink('../../packages/settings', workspace.file('node_modules/@my/settings'))
    const options = { binScript: '{projectRoot}/bin.ts' }
    expect(namedBy(options, { workspaceRoot: workspace.path, projectRoot: 'packages/app' }).files).toEqual([
      'lib/words.ts',
      'packages/app/bin.ts',
      'packages/app/tsconfig.json',
      'packages/settings/base.json',
      'packages/settings/deep.json',
      'packages/settings/tsconfig.json',
    ])
  })

  it('takes the model script, a loader that is a path, arguments, and files that are not there yet', async () => {
    await using workspace = await tempWorkspace(files)
    const options = {
      tsconfigPath: 'tsconfig.base.json',
      model: { script: 'models/other.yml' },
      sourceImport: './tools/loader.mjs',
      binArgs: ['--config', '{workspaceRoot}/shared/unread.yml', 'shared/skills'],
    }
    expect(namedBy(options, { workspaceRoot: workspace.path, projectRoot: 'packages/app' })).toEqual({
      files: ['models/other.yml', 'shared/unread.yml', 'tools/loader.mjs', 'tsconfig.base.json'],
      folders: ['shared/skills'],
      outside: [],
    })
  })

  it('takes a recording, and nothing that its texts name', async () => {
    await using outside = await tempWorkspace({ 'out.json': '' })
    await using workspace = await tempWorkspace({ ...files, 'models/said.json': '["../shared/base.yml"]' })
    const anchor = { workspaceRoot: workspace.path, projectRoot: 'p' }
    const inside = { files: ['models/said.json', 'tsconfig.base.json'], folders: [], outside: [] }
    expect(namedBy({ model: { recording: 'models/said.json' } }, anchor)).toEqual(inside)
    expect(namedBy({ model: { recording: outside.file('out.json') } }, anchor).outside).toEqual([
      outside.file('out.json'),
    ])
  })

  it('lists nothing outside of the workspace, and nothing below node_modules', async () => {
    await using outside = await tempWorkspace({ 'out.yml': '' })
    await using workspace = await tempWorkspace({
      'node_modules/x/base.yml': '',
      'a.yml': 'path: ./node_modules/x/base.yml',
    })
    const options = { configPath: 'a.yml', model: { script: outside.file('out.yml') } }
    expect(namedBy(options, { workspaceRoot: workspace.path, projectRoot: 'p' })).toEqual({
      outside: [outside.file('out.yml')],
      files: ['a.yml'],
      folders: [],
    })
  })
})

describe('wordsIn', () => {
  it.each<[string, string[]]>([
    ['path: base.yml', ['base.yml']],
    ['path: "./two words.yml"', ['./two words.yml']],
    ['a: [\'x/y\', "z.json"]', ['x/y', 'z.json']],
    ['- ../up.yml # why', ['../up.yml']],
    ['url: file:///a/b.yml', ['file:///a/b.yml']],
    ['name: my-plugin', ['my-plugin']],
  ])('finds in %j', (text, names) => {
    expect(wordsIn(text)).toEqual(expect.arrayContaining(names))
  })

  it.each(['1: 12', 'url: http://127.0.0.1:80/x', '- 5', '', '?!'])('finds nothing in %j', (text) => {
    expect(wordsIn(text).filter((word) => word !== 'url:')).toEqual([])
  })
})

describe('what sources load', () => {
  const packages = {
    'tsconfig.base.json': json({
      compilerOptions: { paths: { '@x/*': ['./packages/*/src/index.ts'], '@x/exact': ['./exact.ts'] } },
    }),
    'exact.ts': '',
    'packages/app/package.json': json({ name: '@x/app', dependencies: { '@x/declared': '*' } }),
    'packages/app/tsconfig.json': json({ extends: '../../tsconfig.base.json' }),
    'packages/app/src/bin.ts':
      "import { a } from '@x/mapped'\nimport '@x/exact'\nimport './own.js'\nimport '@x/declared'\nimport 'node:fs'\n",
    'packages/app/src/own.ts':
      "export { x } from '../../shared/x.ts'\nconst data = new URL('../../shared/data.bin', import.meta.url)\n",
    'packages/shared/x.ts': '',
    'packages/shared/data.bin': '',
    'packages/shared/unread.ts': '',
    'packages/mapped/src/index.ts': "export * from './deep.ts'\nimport 'linked'",
    'packages/mapped/src/deep.ts': "const lazy = await import('@x/transitive')\n",
    'packages/mapped/src/unread.ts': '',
    'packages/transitive/src/index.ts': '',
    'packages/declared/src/index.ts': '',
    'packages/plugin/src/index.ts': '',
    'packages/linked/package.json': json({ name: 'linked' }),
    'packages/app/cordis.yml': "- name: '@x/plugin'\n",
  }

  it('is followed through path maps, links and plugin names, and left to Nx where it is declared', async () => {
    await using workspace = await tempWorkspace(packages)
    await mkdir(workspace.file('node_modules/@x'), { recursive: true })
    await symlink('../packages/linked', workspace.file('node_modules/linked'))
    await symlink('../../packages/declared', workspace.file('node_modules/@x/declared'))
    const options = { binScript: '{projectRoot}/src/bin.ts', configPath: '{projectRoot}/cordis.yml' }
    expect(namedBy(options, { workspaceRoot: workspace.path, projectRoot: 'packages/app' })).toEqual({
      files: [
        'exact.ts',
        'packages/app/cordis.yml',
        'packages/app/src/bin.ts',
        'packages/app/tsconfig.json',
        'packages/mapped/src/deep.ts',
        'packages/mapped/src/index.ts',
        'packages/plugin/src/index.ts',
        'packages/shared/data.bin',
        'packages/shared/x.ts',
        'packages/transitive/src/index.ts',
        'tsconfig.base.json',
      ],
      folders: ['packages/linked'],
      outside: [],
    })
  })

  it('sees a source that was changed', async () => {
    await using workspace = await tempWorkspace(packages)
    const files = () =>
      namedBy({ binScript: 'packages/app/src/bin.ts' }, { workspaceRoot: workspace.path, projectRoot: 'packages/app' })
        .files
    expect(files()).toContain('exact.ts')
    await workspace.write('packages/app/src/bin.ts', "import '../../shared/unread.ts'")
    expect(files()).not.toContain('exact.ts')
    expect(files()).toContain('packages/shared/unread.ts')
  })
})
