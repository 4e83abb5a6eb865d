/** The runs of a task whose smokes stand in a `smoke.config` file. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { OptionError } from '@loader-smoke/harness'
import {
  type DeclaredFixture,
  type FixtureOptions,
  loadSmokeFile,
  suggestion,
  toFixtureRun,
  type WrittenNames,
} from '@loader-smoke/harness/config'
import { checkGiven, withAbsolutePaths } from '../../declared/check-given.ts'
import type { GivenOptions } from '../../declared/names.ts'
import { toAbsolute } from '../../declared/paths.ts'
import { modelOf, type RunOptions, smokeOptions, type TaskPlace, toArguments } from './run-options.ts'

/**
 * One run for each fixture of `smokeConfig`, or for the one that `fixture` names. Other options are put over what the file says, but for a mode that
 * inference took from the environment: a fixture whose mode is written down keeps it.
 * @throws OptionError for a value that its option doesn't allow, a file that can't be used, a label that isn't in it, and an option that contradicts it.
 */
export async function fixtureRuns(
  given: GivenOptions,
  place: TaskPlace,
  environment: Readonly<Record<string, string | undefined>>,
  names: WrittenNames,
): Promise<RunOptions[]> {
  const checked = smokeOptions(given)
  checkGiven(checked, place, names)
  const { smokeConfig, fixture, inferredMode, mode, binArgs, task, model, ...others } = checked
  const givenModel = modelOf(model, place)
  const path = toAbsolute(String(smokeConfig), place)
  const { fixtures } = await loadSmokeFile(path)
  const args = toArguments(binArgs, place, existsSync) as readonly string[] | undefined
  const overrides = {
    ...(args === undefined ? {} : { binArgs: args }),
    ...(task === undefined ? {} : { task: String(task) }),
  }
  return chosen(fixtures, fixture, path).map((declared): RunOptions => {
    const modeGiven = mode !== undefined && mode !== inferredMode
    const ownMode = modeGiven ? mode : declared.options.mode
    const options = {
      ...declared.options,
      ...withAbsolutePaths(others, place),
      ...(givenModel && { model: givenModel }),
    } as FixtureOptions
    const run = toFixtureRun(
      { label: declared.label, options, names: new Map([...declared.names, ...names]) },
      { folder: dirname(path), environment, exists: existsSync },
      overrides,
    )
    const { mode: _mode, ...harness } = run.options
    return {
      harness,
      mode: (ownMode ?? mode) as string | undefined,
      inferredMode: ownMode === undefined ? (inferredMode as string | undefined) : undefined,
      model: run.model ?? undefined,
      task: binArgs === undefined ? (overrides.task ?? options.task) : undefined,
      names: run.names,
    }
  })
}

function chosen(fixtures: readonly DeclaredFixture[], label: unknown, path: string): readonly DeclaredFixture[] {
  if (label === undefined) return fixtures
  const found = fixtures.filter((fixture) => fixture.label === label)
  if (found.length > 0) return found
  const labels = fixtures.map((fixture) => fixture.label)
  throw new OptionError(
    'fixture',
    `${path} has no fixture ${JSON.stringify(label)}.${suggestion(String(label), labels)}\nNext: name one of ${labels.join(', ')}, or leave fixture out to run them all.`,
  )
}
