import { tempWorkspace } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { namedBy, namesIn } from '../src/plugin/reads.ts'

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
    })
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
    })
  })

  it('lists nothing outside of the workspace, and nothing below node_modules', async () => {
    await using outside = await tempWorkspace({ 'out.yml': '' })
    await using workspace = await tempWorkspace({
      'node_modules/x/base.yml': '',
      'a.yml': 'path: ./node_modules/x/base.yml',
    })
    const options = { configPath: 'a.yml', model: { script: outside.file('out.yml') } }
    expect(namedBy(options, { workspaceRoot: workspace.path, projectRoot: 'p' })).toEqual({
      files: ['a.yml'],
      folders: [],
    })
  })
})

describe('namesIn', () => {
  it.each<[string, string[]]>([
    ['path: base.yml', ['base.yml']],
    ['path: "./two words.yml"', ['./two words.yml']],
    ['a: [\'x/y\', "z.json"]', ['x/y', 'z.json']],
    ['- ../up.yml # why', ['../up.yml']],
    ['name: plain\nvalue: 12', []],
    ['url: http://127.0.0.1:80/x', []],
    ['url: file:///a/b.yml', ['file:///a/b.yml']],
  ])('finds in %j', (text, names) => {
    expect(namesIn(text)).toEqual(names.length === 0 ? [] : expect.arrayContaining(names))
  })
})
