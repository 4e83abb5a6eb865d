/** Writes the reports of a call. */
import {
  accessSync,
  appendFileSync,
  constants,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import {
  fromJson,
  type SmokeReport,
  toAnnotations,
  toHtml,
  toJson,
  toJunit,
  toSummary,
} from '@loader-smoke/harness/report'
import { UsageError } from '../usage/usage-error.ts'

/** Names of reports that may be asked for. */
export type ReporterName = 'html' | 'junit' | 'github'

/** What a call writes where. */
export interface ReportTargets {
  /** Absolute; see `prepareOutput`. */
  readonly folder: string
  readonly reporters: ReadonlySet<ReporterName>
  /** Absolute root of the checkout, for annotations. */
  readonly workspace: string
  /** The file GitHub reads the step summary from. */
  readonly summaryFile: string | undefined
  print(text: string): void
}

/** Makes the folder for reports before anything runs, so that no verdict is lost in the end. @throws UsageError when it can't be made or written to. */
export function prepareOutput(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new UsageError(
      `--output must be a folder that reports can be written to, got ${folder}: ${(error as Error).message}.\nNext: name another folder with --output; without it, it is .smoke in the current folder.`,
    )
  }
}

/**
 * Writes `report.json`, and what else was asked for; the page compares with the `report.json` that was there. Returns the paths written.
 * Each file appears whole or not at all.
 */
export function writeReports(
  report: SmokeReport,
  { folder, reporters, workspace, summaryFile, print }: ReportTargets,
): string[] {
  const json = join(folder, 'report.json')
  const previous = readPrevious(json)
  const written = [writeWhole(json, toJson(report))]
  if (reporters.has('html')) written.push(writeWhole(join(folder, 'report.html'), toHtml(report, previous)))
  if (reporters.has('junit')) written.push(writeWhole(join(folder, 'junit.xml'), toJunit(report)))
  if (reporters.has('github')) {
    print(toAnnotations(report, workspace))
    if (summaryFile === undefined) written.push(writeWhole(join(folder, 'summary.md'), toSummary(report)))
    else appendFileSync(summaryFile, toSummary(report))
  }
  return written
}

function readPrevious(file: string): SmokeReport | null {
  try {
    return fromJson(readFileSync(file, 'utf8'))
  } catch {
    // There is none, or it can't be read: then there is nothing to compare with.
    return null
  }
}

function writeWhole(file: string, content: string): string {
  const part = `${file}.${process.pid}.part`
  try {
    writeFileSync(part, content)
    renameSync(part, file)
  } finally {
    rmSync(part, { force: true })
  }
  return file
}
