/** Looks at the machine and the project the way a run would. */
import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { checkLaunch, EXAMPLE_MODE_ENV, resolveExampleMode } from '@loader-smoke/harness'
import { findSmokeFile, loadSmokeFile } from '@loader-smoke/harness/config'
import { type ContainmentLevel, probeContainment } from '@loader-smoke/harness/supervise'
import { ignoresAbove, nearestTurbo } from '../init/find-turbo.ts'
import { findSmokeFiles, whereNoneIs } from '../run/find.ts'
import { planSmokes } from '../run/plan.ts'
import type { DeclaredSmoke } from '../run/select.ts'
import type { Flags } from '../usage/parse.ts'
import type { Finding } from './finding.ts'

/** Everything that was found beside Node itself, in the order in which a run would meet it. */
export async function diagnose(folder: string, flags: Flags): Promise<Finding[]> {
  return [
    containmentFinding(probeContainment(), process.platform),
    modeFinding(),
    temporaryFinding(tmpdir()),
    ...turboFindings(folder),
    ...(await fileFindings(folder, flags)),
  ]
}

const CONTAINS: Readonly<Record<ContainmentLevel, string>> = {
  subreaper: 'subreaper: every process that a bin starts is ended with it',
  'group+sweep': 'group+sweep: a process that leaves its group and clears its environment can outlive its bin',
  group: 'group: a process that leaves its group can outlive its bin',
  tree: 'tree: a process whose parent has ended can outlive its bin',
}

/** Pure. */
export function containmentFinding(level: ContainmentLevel, platform: NodeJS.Platform): Finding {
  const finding = { about: 'Containment', found: CONTAINS[level] }
  if (level === 'subreaper') return { state: 'good', ...finding }
  return platform === 'linux'
    ? { state: 'note', ...finding, next: 'install perl (perl-base is enough): with it every process is contained.' }
    : { state: 'note', ...finding }
}

function modeFinding(): Finding {
  const value = process.env[EXAMPLE_MODE_ENV]
  try {
    const mode = resolveExampleMode(value)
    const from = value === undefined || value === '' ? `${EXAMPLE_MODE_ENV} is not set` : `from ${EXAMPLE_MODE_ENV}`
    return { state: 'good', about: 'Mode', found: `${mode} (${from})` }
  } catch (error) {
    return wrong('Mode', error)
  }
}

function temporaryFinding(folder: string): Finding {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return { state: 'good', about: 'Temporary folder', found: folder }
  } catch {
    // Not there or not writable: for a run both are the same.
    return {
      state: 'wrong',
      about: 'Temporary folder',
      found: `${folder} is not a writable folder`,
      next: 'make it writable, or set TMPDIR to one that is.',
    }
  }
}

/** Nothing to find where there is no turbo. */
function turboFindings(folder: string): Finding[] {
  const turbo = nearestTurbo(folder)
  if (turbo === null) return []
  if (ignoresAbove(folder, dirname(turbo), '.turbo')) return [{ state: 'good', about: 'turbo', found: turbo }]
  return [
    {
      state: 'note',
      about: 'turbo',
      found:
        '.turbo is not in .gitignore: the log that turbo writes there changes the key of its own task, so nothing comes from the cache',
      next: `add .turbo/ to ${relative(folder, join(dirname(turbo), '.gitignore'))}.`,
    },
  ]
}

async function fileFindings(folder: string, flags: Flags): Promise<Finding[]> {
  const given = flags['config'] as readonly string[] | undefined
  let files: readonly string[]
  try {
    files = given ?? findSmokeFiles(folder)
  } catch (error) {
    return [wrong('Smokes', error)]
  }
  if (files.length === 0)
    return [
      {
        state: 'wrong',
        about: 'Smokes',
        found: `no smoke.config.json, .ts or .mts in ${folder} or below it`,
        next: whereNoneIs(folder),
      },
    ]
  return (await Promise.all(files.map((file) => smokeFileFindings(file, folder)))).flat()
}

async function smokeFileFindings(path: string, folder: string): Promise<Finding[]> {
  const about = relative(folder, path) || path
  try {
    findSmokeFile(dirname(path))
    const { fixtures, path: file } = await loadSmokeFile(path)
    const found: Finding[] = []
    for (const fixture of fixtures)
      found.push(...(await smokeFindings({ label: fixture.label, file, fixture }, folder)))
    return [{ state: 'good', about, found: fixtures.map(({ label }) => label).join(', ') }, ...found]
  } catch (error) {
    return [wrong(about, error)]
  }
}

/** What a run would refuse is wrong, in its own words. */
async function smokeFindings(smoke: DeclaredSmoke, folder: string): Promise<Finding[]> {
  const about = smoke.label
  try {
    const findings: Finding[] = []
    for (const { mode, options, names } of await planSmokes([smoke], {}, folder))
      findings.push({ state: 'good', about, found: `${mode} mode, ${await checkLaunch(options, names)}` })
    return findings
  } catch (error) {
    return [wrong(about, error)]
  }
}

function wrong(about: string, error: unknown): Finding {
  const [found = '', ...next] = (error instanceof Error ? error.message : String(error)).split(/\nNext: /)
  return { state: 'wrong', about, found, ...(next.length > 0 && { next: next.join(' ') }) }
}
