/** `loader-smoke run`. */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { recordSmoke, type SmokeRecord } from '@loader-smoke/harness'
import { REPORT_VERSION, type SmokeReport, toJson } from '@loader-smoke/harness/report'
import { EXIT, exitCodeOf } from '../exit-code.ts'
import { smokeLines, totalLine } from '../run/lines.ts'
import { type Live, openLive } from '../run/live.ts'
import { type Paint, paintFor } from '../run/paint.ts'
import { INSPECT_ADDRESS, type PlannedSmoke, planSmokes } from '../run/plan.ts'
import { runPool } from '../run/pool.ts'
import { prepareOutput, type ReporterName, writeReports } from '../run/report-files.ts'
import { selectSmokes } from '../run/select.ts'
import { listenForStop, type Stop } from '../run/stop.ts'
import { streamed, type StreamTarget } from '../run/stream.ts'
import { openWatch } from '../run/watch.ts'
import { checkTurbo } from '../turbo/check-turbo.ts'
import { watchTurbo } from '../turbo/runner-death.ts'
import type { Flags } from '../usage/parse.ts'
import { isWrongUse } from '../usage/usage-error.ts'
import { packageVersion } from '../version.ts'

/** Runs the chosen smokes, once or with `--watch` again and again; resolves with the exit code of the last time. */
export async function run(labels: readonly string[], flags: Flags): Promise<number> {
  const folder = process.cwd()
  using stop = listenForStop()
  // To this process alone: the harness and `stop` take it from there.
  const unwatch = watchTurbo(process.env, () => void process.kill(process.pid, 'SIGTERM'))
  process.once('exit', unwatch)
  if (!flags['watch']) return await runOnce(labels, flags, folder, stop)
  using watch = openWatch(folder)
  for (;;) {
    const code = await runWatched(labels, flags, folder, stop)
    if (stop.signal !== null) return code
    process.stdout.write('Waiting for a change; Ctrl-C ends.\n')
    if (!(await watch.changed(stop))) return exitCodeOf([], stop.signal)
  }
}

/** A config that is wrong for a moment is told, and the next change is waited for. */
async function runWatched(labels: readonly string[], flags: Flags, folder: string, stop: Stop): Promise<number> {
  try {
    return await runOnce(labels, flags, folder, stop)
  } catch (error) {
    if (!isWrongUse(error)) throw error
    process.stderr.write(`loader-smoke: ${error.message}\n`)
    return EXIT.usage
  }
}

async function runOnce(labels: readonly string[], flags: Flags, folder: string, stop: Stop): Promise<number> {
  const planned = await planSmokes(await selectSmokes(folder, labels, flags), flags, folder)
  checkTurbo(planned, flags, folder, process.env)
  const output = resolve(folder, String(flags['output'] ?? '.smoke'))
  prepareOutput(output)
  const quiet = flags['json'] === true
  const paint = paintFor(process.env, process.stdout.isTTY)
  const live = openLive(isInteractive(quiet) ? process.stdout : null, quiet ? () => {} : print, paint)
  if (flags['inspect'])
    live.print([`Attach a debugger to ${INSPECT_ADDRESS} (for instance chrome://inspect); the bin waits for it.`])
  const startedAtMs = Date.now()
  const records = await runAll(planned, flags, folder, { live, paint, stop, target: streamTarget(flags, live, paint) })
  live.close()
  const smokes = records.filter((record) => record !== undefined)
  const report: SmokeReport = {
    version: REPORT_VERSION,
    tool: { name: 'loader-smoke', version: packageVersion() },
    machine: { node: process.version, platform: process.platform },
    startedAtMs,
    durationMs: Date.now() - startedAtMs,
    smokes,
  }
  const files = writeReports(report, {
    folder: output,
    reporters: reportersOf(flags, process.env),
    workspace: process.env['GITHUB_WORKSPACE'] ?? folder,
    summaryFile: process.env['GITHUB_STEP_SUMMARY'],
    print: quiet ? () => {} : print,
  })
  if (quiet) print(toJson(report))
  else {
    if (stop.signal !== null) print(`interrupted by ${stop.signal}\n`)
    print(`${totalLine(smokes, planned.length - smokes.length, report.durationMs, paint)}\n`)
    if (files.length > 1) print(`${paint.dim(`reports: ${files.join(' ')}`)}\n`)
  }
  return exitCodeOf(smokes, stop.signal)
}

interface Surroundings {
  readonly live: Live
  readonly paint: Paint
  readonly stop: Stop
  /** Null when what bins print is not to be seen while they run. */
  readonly target: StreamTarget | null
}

function runAll(planned: readonly PlannedSmoke[], flags: Flags, folder: string, around: Surroundings) {
  const { live, paint, stop, target } = around
  return runPool<PlannedSmoke, SmokeRecord>(planned, {
    jobs: (flags['jobs'] as number | undefined) ?? availableParallelism(),
    async run({ label, options, names }) {
      live.start(label)
      const shown = target && streamed(options, planned.length > 1 ? label : null, target)
      const record = await recordSmoke(shown?.options ?? options, folder, names)
      shown?.end()
      live.end(label)
      live.print(smokeLines(record, paint))
      return record
    },
    stop: ({ verdict }) => stop.signal !== null || (flags['bail'] === true && verdict !== 'pass'),
  })
}

/** Standard output is one JSON value with `--json`; what is shown goes beside it then. */
function streamTarget(flags: Flags, live: Live, paint: Paint): StreamTarget | null {
  if (!flags['stream']) return null
  if (!flags['json']) return { print: live.print, output: process.stdout, paint }
  return {
    print: (lines) => void process.stderr.write(lines.map((line) => `${line}\n`).join('')),
    output: process.stderr,
    paint: paintFor(process.env, process.stderr.isTTY),
  }
}

function isInteractive(quiet: boolean): boolean {
  const { TERM, CI } = process.env
  return !quiet && process.stdout.isTTY && TERM !== 'dumb' && (CI === undefined || CI === '' || CI === 'false')
}

/** In GitHub Actions its reports are made without being asked for: whoever reads the run's page looks there. */
function reportersOf(flags: Flags, env: NodeJS.ProcessEnv): ReadonlySet<ReporterName> {
  const given = flags['reporter'] as readonly ReporterName[] | undefined
  return new Set(given ?? (env['GITHUB_ACTIONS'] === 'true' ? ['github'] : []))
}

function print(text: string): void {
  process.stdout.write(text)
}
