import { tempWorkspace } from '@loader-smoke/testkit'
import { expect, it } from 'vitest'
import { type BuildingTargets, checkFiles } from '../src/executors/smoke/check-files.ts'

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
  const run = {
    harness: { label: 'app', binScript: workspace.file('app/src/bin.ts') },
    mode: 'lib',
    inferredMode: undefined,
    modelScript: undefined,
    task: undefined,
  }
  const place = { workspaceRoot: workspace.path, projectRoot: 'app', projectName: 'app', targetName: 'smoke' }
  expect(() => checkFiles(run, 'lib', place, targets)).toThrow(
    `app has no built entry ${workspace.file('app/lib/bin.js')}${message}`,
  )
})
