import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writtenNames } from '../src/declared/written-names.ts'
import { toRunOptions } from '../src/executors/smoke/run-options.ts'

const root = resolve('/w')
const place = { workspaceRoot: root, projectRoot: 'packages/app', projectName: 'app', targetName: 'smoke' }
const there = new Set(['tsconfig.base.json', 'packages/app/fixtures/a.yml'].map((path) => resolve(root, path)))
const run = (given: Record<string, unknown>, environment = {}) =>
  toRunOptions(
    given,
    place,
    environment,
    (path) => there.has(path),
    writtenNames([{ given, prefix: '', place: 'app:smoke' }]),
  )

const TIMEOUT =
  'timeout must be an integer from 1 to 2147483647 (milliseconds), got "abc".\n' +
  'Next: give such a number, or leave it out for 30000.'

describe('toRunOptions', () => {
  it('fills in what a target leaves out, whole', () => {
    const given = {
      bin: 'packages/app/src/bin.ts',
      config: '{projectRoot}/cordis.yml',
      task: 'Say hi.',
      timeout: 500,
      model: { script: 'models/hello.yml' },
      mode: 'src',
      inferredMode: 'src',
      env: { A: 'a' },
    }
    expect(run(given)).toEqual({
      harness: {
        label: 'app:smoke',
        binScript: resolve(root, 'packages/app/src/bin.ts'),
        configPath: resolve(root, 'packages/app/cordis.yml'),
        tsconfigPath: resolve(root, 'tsconfig.base.json'),
        binArgs: [resolve(root, 'packages/app/cordis.yml'), 'Say hi.'],
        processTimeoutMs: 500,
        turn: 'required',
        envMode: 'strict',
        env: { A: 'a' },
      },
      mode: 'src',
      inferredMode: 'src',
      model: { script: resolve(root, 'models/hello.yml') },
      task: 'Say hi.',
      names: new Map([
        ...writtenNames([{ given, prefix: '', place: 'app:smoke' }]),
        ['tsconfigPath', { name: 'the nearest tsConfig', place: '' }],
      ]),
    })
  })

  it('keeps what a target says', () => {
    const { harness } = run({
      label: 'mine',
      envMode: 'inherit',
      turn: { output: 'x' },
      tsConfig: 'other.json',
      task: 't',
    })
    expect(harness).toMatchObject({
      label: 'mine',
      envMode: 'inherit',
      turn: { output: 'x' },
      tsconfigPath: resolve(root, 'other.json'),
    })
  })

  it('requires a turn for a task', () => {
    expect(run({ turn: 'optional', task: 't' }).harness.turn).toBe('required')
    expect(run({ turn: 'optional' }).harness.turn).toBe('optional')
  })

  it('splits arguments that came as one text, and makes files of the project absolute', () => {
    const file = resolve(root, 'packages/app/fixtures/a.yml')
    expect(run({ args: '--config packages/app/fixtures/a.yml "two words"' }).harness.binArgs).toEqual([
      '--config',
      file,
      'two words',
    ])
    expect(run({ args: ['{projectRoot}/fixtures/a.yml', 'packages/app/no.yml', 'a.yml'] }).harness.binArgs).toEqual([
      file,
      'packages/app/no.yml',
      'a.yml',
    ])
  })

  it('passes declared names of the environment, below env', () => {
    const environment = { WORD: 'w', OTHER: 'o', DSH_EXAMPLE_MODE: 'lib' }
    expect(run({ passEnv: ['WORD', 'MISSING', 'DSH_EXAMPLE_MODE'], env: { X: '1' } }, environment).harness.env).toEqual(
      { WORD: 'w', X: '1' },
    )
    expect(run({ passEnv: ['WORD'], env: { WORD: null } }, environment).harness.env).toEqual({ WORD: null })
  })

  it("lets Nx's own words through", () => {
    expect(() => run({ _: [], $0: '', __overrides_unparsed__: [], verbose: true })).not.toThrow()
  })

  it.each<[string, Record<string, unknown>, string]>([
    [
      'a misspelled option',
      { confg: 'x' },
      'confg is no option of this executor, got "x". Did you mean config?\nNext: use one of label, bin, config, tsConfig, mode, task, model, args, libBin, sourceImport',
    ],
    ['an unknown option', { zzzzzzzz: 1 }, 'zzzzzzzz is no option of this executor, got 1.\nNext: use one of'],
    [
      'a task beside arguments',
      { task: 't', args: [] },
      'task and args are both given: a task is appended to the default arguments, args replaces them.\nNext: put the task into args, or take args out.',
    ],
    [
      'a model without script',
      { model: {} },
      'model must be { "script": "<file>" } or { "recording": "<file>" }, got an object.\nNext: name the file that the model server answers from, or the recording that it plays.',
    ],
    ['names that are no list', { passEnv: 'A' }, 'passEnv must be a list of environment names, got "A".'],
    ['a name that is none', { passEnv: ['A', ''] }, 'passEnv[1] must be an environment name without \'=\', got "".'],
    ['a word for a number', { timeout: 'abc' }, TIMEOUT],
    ['a number for a path', { bin: 5 }, 'bin must be a path that is not empty, got 5.'],
    ['an empty path', { config: '' }, 'config must be a path that is not empty, got "".'],
    ['a text for an environment', { env: 'A=1' }, 'env must be an object of names and values, got "A=1".'],
    ['null for a turn', { turn: null }, 'turn must be '],
    ['a wrong type inside of expect', { expect: { maxTokens: 'many' } }, 'expect.maxTokens must be '],
    [
      'an empty task',
      { task: '' },
      'task must be a text that is not empty, got "".\nNext: say what the root agent shall do, or leave it out.',
    ],
    ['a number for a task', { task: 5 }, 'task must be a text that is not empty, got 5.'],
    [
      'a fixture of no file',
      { bin: 'x', fixture: 'one' },
      'fixture was given without smokeConfig, got "one": it is the label of a fixture in a smoke.config file.\n' +
        'Next: give smokeConfig, the file that declares it, or take fixture out.',
    ],
  ])('refuses %s', (_, given, message) => {
    expect(() => run(given)).toThrow(message)
  })
})
