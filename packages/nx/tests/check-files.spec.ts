import { type TempWorkspace, tempWorkspace } from '@loader-smoke/testkit'
import { expect, it } from 'vitest'
import { type BuildingTargets, checkFiles } from '../src/executors/smoke/check-files.ts'
import type { RunOptions, TaskPlace } from '../src/executors/smoke/run-options.ts'

const usual: BuildingTargets = { twin: 'smoke-ci', build: 'build', hasBuild: true, built: false }

it.each<[string, BuildingTargets, string]>([
  [
    'the target that builds first',
    usual,
    '\nNext: run `nx run app:smoke-ci`, which builds first, or `nx run app:build` and then this again.',
  ],
  ['the build alone, where no target builds first', { ...usual, twin: null }, '\nNext: run `nx run app:build` first.'],
  [
    'a build that wrote elsewhere',
    { ...usual, built: true },
    ', although app:build ran before it.\nNext: name the file that the build makes for the bin as "libBin", or correct the build.',
  ],
  [
    'what to add, where the project has no build',
    { ...usual, hasBuild: false },
    ', and the project app has no target build that would make it.\n' +
      'Next: add a target or a package.json script build that compiles to that file, name the file that there is as "libBin", or run the source with --mode=src.',
  ],
])('names, for a built entry that is not there, %s', async (_, targets, message) => {
  await using workspace = await tempWorkspace({ 'app/src/bin.ts': '' })
  expect(() => checkFiles(runOf(workspace), 'lib', placeIn(workspace), targets)).toThrow(
    `app has no built entry ${workspace.file('app/lib/bin.js')}${message}`,
  )
})

it('names a file that is not there as the target does', async () => {
  await using workspace = await tempWorkspace({ 'app/src/bin.ts': '' })
  const named = new Map([['tsconfigPath', { name: 'tsConfig', place: 'app:smoke' }]])
  expect(() => checkFiles({ ...runOf(workspace), names: named }, 'src', placeIn(workspace), usual)).toThrow(
    `app:smoke: tsConfig must be an existing file, got ${JSON.stringify(workspace.file('tsconfig.json'))}.\n` +
      'Next: paths start at the workspace root; begin them with {projectRoot}/ to start at the project.',
  )
})

it('says of a file that a smoke.config names where paths start there', async () => {
  await using workspace = await tempWorkspace({})
  const place = workspace.file('app/smoke.config.json')
  const named = new Map([['binScript', { name: 'fixtures[1].bin', place }]])
  expect(() => checkFiles({ ...runOf(workspace), names: named }, 'src', placeIn(workspace), usual)).toThrow(
    `${place}: fixtures[1].bin must be an existing file, got ${JSON.stringify(workspace.file('app/src/bin.ts'))}.\n` +
      'Next: create it, or correct fixtures[1].bin; paths start at the folder of that file.',
  )
})

function runOf({ file }: TempWorkspace): RunOptions {
  return {
    harness: { label: 'app', binScript: file('app/src/bin.ts'), tsconfigPath: file('tsconfig.json') },
    mode: undefined,
    inferredMode: undefined,
    model: undefined,
    task: undefined,
    names: new Map(),
  }
}

function placeIn({ path }: TempWorkspace): TaskPlace {
  return { workspaceRoot: path, projectRoot: 'app', projectName: 'app', targetName: 'smoke' }
}
