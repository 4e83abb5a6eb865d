/** Writes the reports of a task, where its target declares them as outputs: Nx restores them with a cached result. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { SmokeRecord } from '@loader-smoke/harness'
import { REPORT_VERSION, type SmokeReport, toJson, toJunit } from '@loader-smoke/harness/report'
import { reportsFolder } from '../../declared/paths.ts'
import { REPORTS_FOLDER } from '../../plugin/inputs.ts'
import type { TaskPlace } from './run-options.ts'

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string }

/** Takes away what an earlier run of the target wrote, so that no old report stands beside a new failure. */
export function clearReports(place: TaskPlace): void {
  rmSync(folderOf(place), { recursive: true, force: true })
}

/** Writes `report.json` and `junit.xml` into the target's own folder below `.smoke` of the project. */
export function writeReports(place: TaskPlace, smokes: readonly SmokeRecord[], startedAtMs: number): void {
  const report: SmokeReport = {
    version: REPORT_VERSION,
    tool: { name: '@loader-smoke/nx', version },
    machine: { node: process.version, platform: process.platform },
    startedAtMs,
    durationMs: Date.now() - startedAtMs,
    smokes,
  }
  const folder = folderOf(place)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'report.json'), toJson(report))
  writeFileSync(join(folder, 'junit.xml'), toJunit(report))
}

function folderOf({ workspaceRoot, projectRoot, targetName }: TaskPlace): string {
  return resolve(workspaceRoot, projectRoot, REPORTS_FOLDER, reportsFolder(targetName))
}
