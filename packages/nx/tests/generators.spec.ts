import { chmod, readFile, realpath } from 'node:fs/promises'
import {
  addProjectConfiguration,
  readJson,
  readNxJson,
  readProjectConfiguration,
  type Tree,
  updateNxJson,
  updateProjectConfiguration,
  writeJson,
} from '@nx/devkit'
import { tempWorkspace } from '@loader-smoke/testkit'
import { FsTree, flushChanges } from 'nx/src/generators/tree.js'
import { createTreeWithEmptyWorkspace } from '@nx/devkit/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import configurationGenerator from '../src/generators/configuration/generator.ts'
import initGenerator from '../src/generators/init/generator.ts'

let tree: Tree

beforeEach(() => {
  // What Nx sets where a repository is generated for tests; the default of people is what is tested here.
  vi.stubEnv('NX_ADD_PLUGINS', undefined)
  tree = createTreeWithEmptyWorkspace()
  tree.write('package.json', '{ "workspaces": ["packages/*"] }')
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

const build = () => readProjectConfiguration(tree, 'my-agent').targets?.['build']

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

  describe('where the project has no build', () => {
    beforeEach(() => {
      updateProjectConfiguration(tree, 'my-agent', { root: 'packages/my-agent', targets: {} })
    })

    it('adds one, with a compiler, over what the workspace says of sources', async () => {
      await configurationGenerator(tree, { ...quick, project: 'my-agent' })
      expect(build()).toEqual({
        executor: 'nx:run-commands',
        cache: true,
        dependsOn: ['^build'],
        outputs: ['{projectRoot}/lib'],
        options: { command: 'tsc -p tsconfig.json --paths null --customConditions null', cwd: '{projectRoot}' },
      })
      expect(readJson(tree, 'packages/my-agent/tsconfig.json')).toMatchObject({
        extends: '../../tsconfig.base.json',
        compilerOptions: { rootDir: 'src', outDir: 'lib' },
      })
      expect(readJson(tree, 'packages/my-agent/package.json').devDependencies).toHaveProperty('typescript')
    })

    it('names it as the plugin in nx.json does', async () => {
      updateNxJson(tree, { plugins: [{ plugin: '@loader-smoke/nx', options: { buildTargetName: 'compile' } }] })
      await configurationGenerator(tree, { ...quick, project: 'my-agent' })
      expect(Object.keys(readProjectConfiguration(tree, 'my-agent').targets ?? {})).toEqual(['compile'])
    })

    it.each([
      ['a script of that name', 'package.json', '{ "scripts": { "build": "make" } }'],
      ['a tsconfig.json of its own, which may write elsewhere', 'tsconfig.json', '{}'],
    ])('adds none beside %s', async (_, file, content) => {
      tree.write(`packages/my-agent/${file}`, content)
      await configurationGenerator(tree, { ...quick, project: 'my-agent' })
      expect(build()).toBeUndefined()
      expect(readJson(tree, 'packages/my-agent/package.json').devDependencies ?? {}).not.toHaveProperty('typescript')
    })
  })

  it.each<[string, object, Record<string, string>, unknown]>([
    ['says that a package is of ES modules where it has no sources', {}, {}, 'module'],
    ['leaves the type of a package that says one', { type: 'commonjs' }, {}, 'commonjs'],
    ['leaves the type of a package that has sources', {}, { 'index.js': '' }, undefined],
    ['leaves the type when it leaves package.json alone', { skipPackageJson: true }, {}, undefined],
  ])('%s', async (_, { skipPackageJson, ...manifest }: { skipPackageJson?: boolean }, files, type) => {
    writeJson(tree, 'packages/my-agent/package.json', manifest)
    for (const [file, content] of Object.entries(files)) tree.write(`packages/my-agent/${file}`, content)
    await configurationGenerator(tree, { ...quick, project: 'my-agent', skipPackageJson: skipPackageJson ?? false })
    expect(readJson(tree, 'packages/my-agent/package.json').type).toBe(type)
  })

  it('declares what the app boots from at the root of a workspace that has no packages', async () => {
    tree.write('package.json', '{}')
    await configurationGenerator(tree, { ...quick, project: 'my-agent' })
    expect(readJson(tree, 'package.json').dependencies).toHaveProperty(['@loader-smoke/turn'])
    expect(readJson(tree, 'packages/my-agent/package.json').dependencies).not.toHaveProperty(['@loader-smoke/turn'])
  })

  // The package manager is a program of the test's own, found first on PATH.
  it.runIf(process.platform !== 'win32').each([
    ['installs what it adds to a package of the workspace', {}, true],
    ['installs nothing when it leaves package.json alone', { skipPackageJson: true }, false],
  ])('%s', async (_, options, installs) => {
    await using temp = await tempWorkspace({ 'bin/npm': '#!/bin/sh\necho "$1 in $PWD" >> "$0.calls"\necho 11.0.0\n' })
    await chmod(temp.file('bin/npm'), 0o755)
    vi.stubEnv('PATH', `${temp.file('bin')}:${process.env['PATH']}`)
    vi.stubGlobal('__packageJsonInstallCache__', undefined)
    // The package itself is there already, as after `nx add`.
    writeJson(tree, 'package.json', { workspaces: ['packages/*'], devDependencies: { '@loader-smoke/nx': '0.1.0' } })
    flushChanges(temp.file('root'), tree.listChanges())
    const there = new FsTree(temp.file('root'), false)
    const install = await configurationGenerator(there, { ...quick, project: 'my-agent', ...options })
    flushChanges(there.root, there.listChanges())
    await install()
    const calls = await readFile(temp.file('bin/npm.calls'), 'utf8').catch(() => '')
    expect(calls.includes(`install in ${await realpath(temp.file('root'))}\n`)).toBe(installs)
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
