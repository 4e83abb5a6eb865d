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

    it('compiles with what the root has, if it has a compiler', async () => {
      writeJson(tree, 'package.json', { workspaces: ['packages/*'], devDependencies: { typescript: '~5.9.0' } })
      await configurationGenerator(tree, { ...quick, project: 'my-agent' })
      const { devDependencies } = readJson(tree, 'packages/my-agent/package.json')
      expect(Object.keys(devDependencies)).toEqual(['@types/node'])
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

  it('gives a project without a package.json one that says what its sources are, and declares at the root', async () => {
    tree.delete('packages/my-agent/package.json')
    await configurationGenerator(tree, { ...quick, project: 'my-agent' })
    expect(readJson(tree, 'packages/my-agent/package.json')).toEqual({ private: true, type: 'module' })
    expect(readJson(tree, 'package.json').dependencies).toHaveProperty(['@loader-smoke/turn'])
  })

  it.each<[string, unknown, string, string]>([
    ['in the package', ['packages/*'], 'packages/my-agent/package.json', 'package.json'],
    ['in the package of an object', { packages: ['packages/*'] }, 'packages/my-agent/package.json', 'package.json'],
    ['at the root for what is no package', ['other/*'], 'package.json', 'packages/my-agent/package.json'],
  ])('declares what the app boots from %s of the workspace', async (_, workspaces, there, not) => {
    writeJson(tree, 'package.json', { workspaces })
    await configurationGenerator(tree, { ...quick, project: 'my-agent' })
    expect(readJson(tree, there).dependencies).toHaveProperty(['@loader-smoke/turn'])
    expect(readJson(tree, not).dependencies ?? {}).not.toHaveProperty(['@loader-smoke/turn'])
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

  it('writes no app beside a smoke file that is there, whatever that boots', async () => {
    tree.write('packages/my-agent/smoke.config.mts', 'export default {}')
    await configurationGenerator(tree, { ...quick, project: 'my-agent' })
    expect(changed()).toEqual(
      ['package.json', 'project.json', 'smoke.config.mts'].map((file) => `packages/my-agent/${file}`),
    )
  })

  it('writes nothing beside a target that is a smoke, under whatever name', async () => {
    const boot = { executor: '@loader-smoke/nx:smoke', options: { bin: '{projectRoot}/main.ts' } }
    updateProjectConfiguration(tree, 'my-agent', { root: 'packages/my-agent', targets: { boot } })
    for (const targetOnly of [false, true])
      await configurationGenerator(tree, { ...quick, project: 'my-agent', targetOnly })
    expect(changed()).toEqual(['package.json', 'project.json'].map((file) => `packages/my-agent/${file}`))
    expect(readProjectConfiguration(tree, 'my-agent').targets).toEqual({ boot })
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

  it('writes a target that is not cached, and its app, where nothing is inferred', async () => {
    updateNxJson(tree, { useInferencePlugins: false })
    for (const task of ['Say hello.', 'Another.'])
      await configurationGenerator(tree, { ...quick, project: 'my-agent', task })
    expect(readProjectConfiguration(tree, 'my-agent').targets?.['smoke']).toEqual({
      executor: '@loader-smoke/nx:smoke',
      cache: false,
      options: {
        bin: '{projectRoot}/src/bin.ts',
        config: '{projectRoot}/cordis.yml',
        task: 'Say hello.',
        env: { DEEPSEEK_API_KEY: 'keyless' },
      },
    })
    expect(tree.exists('packages/my-agent/src/bin.ts')).toBe(true)
    expect(tree.exists('packages/my-agent/smoke.config.json')).toBe(false)
  })

  it('takes a name without its scope where one project has it', async () => {
    for (const scope of ['@one', '@two'])
      addProjectConfiguration(tree, `${scope}/both`, { root: `${scope.slice(1)}/both`, targets: {} })
    addProjectConfiguration(tree, '@one/single', { root: 'one/single', targets: {} })
    await configurationGenerator(tree, { ...quick, project: 'single' })
    expect(readJson(tree, 'one/single/smoke.config.json').label).toBe('@one/single')
    await expect(configurationGenerator(tree, { ...quick, project: 'both' })).rejects.toThrow(
      'the workspace has no project "both".',
    )
  })

  it('gives the project in the root of the workspace a smoke', async () => {
    addProjectConfiguration(tree, 'whole', { root: '.', targets: {} })
    await configurationGenerator(tree, { ...quick, project: 'whole' })
    expect(readJson(tree, 'smoke.config.json')).toMatchObject({ label: 'whole', bin: 'src/bin.ts' })
    expect(tree.exists('src/bin.ts')).toBe(true)
    expect(readJson(tree, 'tsconfig.json').extends).toBe('./tsconfig.base.json')
    expect(readJson(tree, 'package.json')).toMatchObject({
      type: 'module',
      dependencies: { '@loader-smoke/turn': '0.1.0' },
    })
  })

  it.each<[string, { bin?: string; config?: string; targetOnly?: boolean }, string]>([
    ['nothing', { config: '' }, 'config must be a path that starts at the project, with forward slashes, got "".'],
    [
      'an absolute path',
      { bin: '/src/bin.ts' },
      'bin must be a path that starts at the project, with forward slashes, got "/src/bin.ts".',
    ],
    [
      'a drive',
      { bin: 'C:/bin.ts', targetOnly: true },
      'bin must be a path that starts at the project, with forward slashes, got "C:/bin.ts".',
    ],
    [
      'backslashes',
      { bin: 'src\\bin.ts' },
      'bin must be a path that starts at the project, with forward slashes, got "src\\\\bin.ts".',
    ],
    [
      'a token of Nx',
      { bin: '{projectRoot}/src/bin.ts' },
      'bin must be a path that starts at the project, with forward slashes, got "{projectRoot}/src/bin.ts".',
    ],
    [
      'a path from the root',
      { bin: 'packages/my-agent/src/bin.ts' },
      'bin must be a path that starts at the project, with forward slashes, got "packages/my-agent/src/bin.ts".',
    ],
    [
      'a new app elsewhere',
      { bin: '../x/src/bin.ts' },
      'bin must be a path within the project for an app that is not there yet, got "../x/src/bin.ts".',
    ],
    [
      'a new app that no build finds',
      { bin: 'main.ts' },
      'bin must be a .ts file below src for an app that is not there yet, got "main.ts".',
    ],
    [
      'a new app of another language',
      { bin: 'src/main.js' },
      'bin must be a .ts file below src for an app that is not there yet, got "src/main.js".',
    ],
  ])('refuses %s, before anything is written', async (_, given, message) => {
    const before = tree.listChanges().length
    const [option] = Object.keys(given)
    const example = option === 'bin' ? 'src/bin.ts' : 'cordis.yml'
    await expect(configurationGenerator(tree, { ...quick, project: 'my-agent', ...given })).rejects.toThrow(
      `${message}\nNext: write it like --${option}=${example}.`,
    )
    expect(tree.listChanges()).toHaveLength(before)
  })

  it('refuses a project that is not there, before anything is written', async () => {
    await expect(configurationGenerator(tree, { ...quick, project: 'my-agnet' })).rejects.toThrow(
      'the workspace has no project "my-agnet". Did you mean my-agent?\nNext: name one of my-agent.',
    )
    expect(readNxJson(tree)?.plugins).toBeUndefined()
  })
})
