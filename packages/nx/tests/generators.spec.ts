import {
  addProjectConfiguration,
  readJson,
  readNxJson,
  readProjectConfiguration,
  type Tree,
  updateNxJson,
} from '@nx/devkit'
import { createTreeWithEmptyWorkspace } from '@nx/devkit/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import configurationGenerator from '../src/generators/configuration/generator.ts'
import initGenerator from '../src/generators/init/generator.ts'

let tree: Tree

beforeEach(() => {
  // What Nx sets where a repository is generated for tests; the default of people is what is tested here.
  vi.stubEnv('NX_ADD_PLUGINS', undefined)
  tree = createTreeWithEmptyWorkspace()
  addProjectConfiguration(tree, 'my-agent', { root: 'packages/my-agent', targets: { build: { executor: 'nx:noop' } } })
  tree.write(
    'packages/my-agent/package.json',
    '{ "name": "@my/agent", "dependencies": { "@deepseek-ai/dsh-llm": "0.0.1" } }',
  )
})

const quick = { skipFormat: true }
const changed = () =>
  tree
    .listChanges()
    .map(({ path }) => path)
    .filter((path) => path.startsWith('packages/my-agent/'))
    .toSorted()

describe('init', () => {
  it('registers the plugin once, keeps reports out of git, and adds the package', async () => {
    tree.write('.gitignore', 'dist')
    for (const _ of [1, 2]) await initGenerator(tree, quick)
    expect(readNxJson(tree)?.plugins).toEqual(['@loader-smoke/nx'])
    expect(tree.read('.gitignore', 'utf8')).toBe('dist\n.smoke\n')
    expect(readJson(tree, 'package.json').devDependencies).toHaveProperty(['@loader-smoke/nx'], '0.1.0')
  })

  it.each([
    ['useInferencePlugins is false', { useInferencePlugins: false }, undefined, undefined],
    ['NX_ADD_PLUGINS is false', {}, 'false', undefined],
    ['it is told to', {}, undefined, false],
  ])('leaves nx.json alone where %s', async (_, nxJson, env, addPlugin) => {
    vi.stubEnv('NX_ADD_PLUGINS', env)
    updateNxJson(tree, nxJson)
    await initGenerator(tree, { ...quick, ...(addPlugin === undefined ? {} : { addPlugin }) })
    expect(readNxJson(tree)?.plugins).toBeUndefined()
  })

  it('finds a registration with options', async () => {
    updateNxJson(tree, { plugins: [{ plugin: '@loader-smoke/nx', options: { targetName: 'boot' } }] })
    await initGenerator(tree, quick)
    expect(readNxJson(tree)?.plugins).toHaveLength(1)
  })

  it('leaves package.json alone when it is told to', async () => {
    await initGenerator(tree, { ...quick, skipPackageJson: true })
    expect(tree.read('package.json', 'utf8')).not.toContain('@loader-smoke/nx')
  })
})

describe('configuration', () => {
  it('writes a smoke.config.json and an app, and adds what the app boots from', async () => {
    await configurationGenerator(tree, { ...quick, project: 'my-agent' })
    const files = [
      'base.yml',
      'cordis.yml',
      'model-script.yml',
      'package.json',
      'project.json',
      'smoke.config.json',
      'src/bin.ts',
    ]
    expect(changed()).toEqual(files.map((file) => `packages/my-agent/${file}`))
    expect(readJson(tree, 'packages/my-agent/smoke.config.json')).toEqual({
      label: 'my-agent',
      bin: 'src/bin.ts',
      config: 'cordis.yml',
      task: 'Say hello.',
      env: { DEEPSEEK_API_KEY: 'keyless' },
    })
    const { dependencies } = readJson(tree, 'packages/my-agent/package.json')
    expect(dependencies).toMatchObject({ '@loader-smoke/turn': '0.1.0', '@deepseek-ai/cordis': '4.0.4' })
    // A version that is there stays.
    expect(dependencies['@deepseek-ai/dsh-llm']).toBe('0.0.1')
  })

  it('writes a tsconfig.json where no one has any', async () => {
    tree.delete('tsconfig.base.json')
    await configurationGenerator(tree, { ...quick, project: 'my-agent' })
    expect(readJson(tree, 'packages/my-agent/tsconfig.json').compilerOptions).toMatchObject({
      rootDir: 'src',
      outDir: 'lib',
    })
  })

  it('changes nothing the second time, and overwrites no file', async () => {
    tree.write('packages/my-agent/cordis.yml', 'mine')
    await configurationGenerator(tree, { ...quick, project: 'my-agent' })
    const first = new Map(tree.listChanges().map(({ path, content }) => [path, content?.toString()]))
    await configurationGenerator(tree, { ...quick, project: 'my-agent', task: 'Another.' })
    expect(new Map(tree.listChanges().map(({ path, content }) => [path, content?.toString()]))).toEqual(first)
    expect(tree.read('packages/my-agent/cordis.yml', 'utf8')).toBe('mine')
  })

  it('writes no app for a bin that is there', async () => {
    tree.write('packages/my-agent/src/main.ts', '')
    await configurationGenerator(tree, { ...quick, project: 'my-agent', bin: 'src/main.ts' })
    expect(tree.exists('packages/my-agent/cordis.yml')).toBe(false)
    expect(tree.exists('packages/my-agent/smoke.config.json')).toBe(true)
  })

  it('writes only a target when it is told to', async () => {
    await configurationGenerator(tree, { ...quick, project: 'my-agent', targetOnly: true, label: 'mine' })
    expect(readProjectConfiguration(tree, 'my-agent').targets?.['smoke']).toEqual({
      executor: '@loader-smoke/nx:smoke',
      options: {
        bin: '{projectRoot}/src/bin.ts',
        config: '{projectRoot}/cordis.yml',
        task: 'Say hello.',
        label: 'mine',
      },
    })
    expect(tree.exists('packages/my-agent/smoke.config.json')).toBe(false)
  })

  it('writes a target that is not cached where nothing is inferred', async () => {
    updateNxJson(tree, { useInferencePlugins: false })
    await configurationGenerator(tree, { ...quick, project: 'my-agent' })
    expect(readProjectConfiguration(tree, 'my-agent').targets?.['smoke']).toMatchObject({ cache: false })
  })

  it('refuses a project that is not there, before anything is written', async () => {
    await expect(configurationGenerator(tree, { ...quick, project: 'my-agnet' })).rejects.toThrow(
      'the workspace has no project "my-agnet". Did you mean my-agent?\nNext: name one of my-agent.',
    )
    expect(readNxJson(tree)?.plugins).toBeUndefined()
  })
})
