/** What a task prints: what runs, and what came of it, the reason of a failure first. Pure. */
import { isAbsolute, relative } from 'node:path'
import { styleText } from 'node:util'
import type { ExampleMode, SmokeRecord } from '@loader-smoke/harness'
import { modelFile } from '@loader-smoke/harness/config'
import { endOf, toPlain, toSafeText, trimStream } from '@loader-smoke/harness/report'
import { slashed } from '../../declared/paths.ts'
import type { RunOptions } from './run-options.ts'

/** Colours for marks, or text as it is. */
export interface Paint {
  readonly colors: boolean
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly dim: (text: string) => string
}

/** Nx sets FORCE_COLOR for every task, so NO_COLOR, which only a person sets, comes first. @see https://no-color.org */
export function paintFor(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): Paint {
  const forced = env['FORCE_COLOR'] ?? ''
  const colors = (env['NO_COLOR'] ?? '') === '' && (forced === '' ? isTerminal : forced !== '0' && forced !== 'false')
  const style = (name: 'green' | 'red' | 'dim') => (text: string) =>
    colors ? styleText(name, text, { validateStream: false }) : text
  return { colors, good: style('green'), bad: style('red'), dim: style('dim') }
}

/** Head and tail of each stream that is shown, together; the report has more. */
const MAX_SHOWN_BYTES = 8 * 1024

/** The lines before a run. */
export function startLines(run: RunOptions, mode: ExampleMode, workspaceRoot: string, paint: Paint): string[] {
  const { binScript, configPath, libBinScript } = run.harness
  const rows: [string, string | undefined][] = [
    ['bin', shown(mode === 'lib' && libBinScript !== undefined ? libBinScript : binScript, workspaceRoot)],
    ['mode', mode === 'src' ? 'src (TypeScript source)' : 'lib (built output, plain Node)'],
    ['config', shown(configPath, workspaceRoot)],
    ['model', shown(run.model && modelFile(run.model).path, workspaceRoot)],
    ['task', run.task === undefined ? undefined : oneLine(run.task)],
  ]
  return [`smoke ${oneLine(run.harness.label)}`, ...toRows(rows, paint)]
}

/** The lines after a run. */
export function endLines(smoke: SmokeRecord, paint: Paint): string[] {
  return smoke.verdict === 'pass' ? passLines(smoke, paint) : failLines(smoke, paint)
}

/** The lines of a smoke that could not be run as it is described. */
export function refusedLines(label: string, message: string, paint: Paint): string[] {
  return [`${paint.bad('✖')} ${oneLine(label)} did not run`, ...toSafeText(message, { colors: false }).split('\n')]
}

/** The last line of a task with several smokes. */
export function summaryLine(passed: number, all: number, paint: Paint): string {
  return passed === all
    ? `${paint.good('✔')} all ${all} smokes passed`
    : `${paint.bad('✖')} ${all - passed} of ${all} smokes did not pass`
}

function passLines(smoke: SmokeRecord, paint: Paint): string[] {
  const answers = smoke.turns.map(({ output }) => oneLine(output ?? '')).filter((answer) => answer !== '')
  const tools = smoke.turns.flatMap((turn) => turn.tools).map(({ name }) => oneLine(name))
  const rows: [string, string | undefined][] = [
    ...answers.map((answer, index): [string, string] => [
      answers.length > 1 ? `answer ${index + 1}` : 'answer',
      answer,
    ]),
    ['tools', tools.join(', ')],
    ['tokens', tokens(smoke)],
    ['end', smoke.signal === null && smoke.exitCode === 0 ? undefined : endOf(smoke)],
    ...smoke.survivors.map(({ pid, command }): [string, string] => [
      'left over',
      `process ${pid} (${oneLine(command)}), ended`,
    ]),
    ['world', smoke.keptWorld === null ? undefined : `kept in ${smoke.keptWorld}`],
  ]
  return [`${paint.good('✔')} ${head(smoke)}`, ...toRows(rows, paint)]
}

function failLines(smoke: SmokeRecord, paint: Paint): string[] {
  const started = smoke.startedAtMs !== null
  return [
    `${paint.bad('✖')} ${head(smoke)}`,
    ...smoke.reasons.flatMap(({ line }) => plainLines(line)),
    ...(started
      ? [
          paint.dim(`ended: ${endOf(smoke)}`),
          ...streamLines(smoke, 'stdout', paint),
          ...streamLines(smoke, 'stderr', paint),
        ]
      : []),
    ...smoke.next.flatMap((hint) => plainLines(`Next: ${hint}`)),
    ...(smoke.location === null
      ? []
      : [`See ${smoke.location.file}${smoke.location.line === null ? '' : `:${smoke.location.line}`}`]),
    ...(smoke.keptWorld === null ? [] : [`The world was kept: ${smoke.keptWorld}`]),
    ...(smoke.rerun === null ? [] : plainLines(`Run it again: ${smoke.rerun}`)),
  ]
}

/** A smoke as lines name it that stand among those of other projects: a label is one of its project's. */
export function fullLabel(label: string, projectName: string): string {
  return oneLine(label === projectName || label.startsWith(`${projectName}:`) ? label : `${projectName}:${label}`)
}

const words = { pass: 'passed', fail: 'failed', error: 'could not be judged' } as const

function head({ label, mode, verdict, durationMs }: SmokeRecord): string {
  return `${oneLine(label)} ${words[verdict]}${durationMs === null ? '' : ` in ${seconds(durationMs)}`} (${mode})`
}

function streamLines(smoke: SmokeRecord, name: 'stdout' | 'stderr', paint: Paint): string[] {
  const { text, bytes } = smoke[name]
  if (bytes === 0) return [paint.dim(`${name}: empty`)]
  const kept = trimStream(text, bytes, MAX_SHOWN_BYTES)
  const lines = toSafeText(kept.replace(/\n$/, ''), { colors: paint.colors, gutter: `${paint.dim('│')} ` }).split('\n')
  return [paint.dim(`${name} (${grouped(bytes)} bytes${kept === text ? '' : ', head and tail'}):`), ...lines]
}

function tokens({ turns }: SmokeRecord): string | undefined {
  const usages = turns.map(({ usage }) => usage).filter((usage) => usage !== null)
  if (usages.length === 0) return turns.length === 0 ? undefined : 'not reported by the model'
  const sum = (of: (usage: (typeof usages)[number]) => number | undefined) =>
    usages.reduce((total, usage) => total + (of(usage) ?? 0), 0)
  const parts: [number, string][] = [
    [sum((usage) => usage.inputTokens), 'in'],
    [sum((usage) => usage.outputTokens), 'out'],
    [sum((usage) => usage.cacheReadTokens), 'from cache'],
    [sum((usage) => usage.reasoningTokens), 'of it reasoning'],
  ]
  const told = parts.filter(([count, what]) => count > 0 || what === 'in' || what === 'out')
  return told.map(([count, what]) => `${grouped(count)} ${what}`).join(', ')
}

function toRows(rows: readonly [string, string | undefined][], paint: Paint): string[] {
  const given = rows.filter((row): row is [string, string] => row[1] !== undefined && row[1] !== '')
  const width = Math.max(0, ...given.map(([name]) => name.length))
  return given.map(([name, value]) => `  ${paint.dim(name.padEnd(width))}  ${value}`)
}

function shown(path: string | undefined, workspaceRoot: string): string | undefined {
  if (path === undefined) return undefined
  const fromRoot = relative(workspaceRoot, path)
  return oneLine(fromRoot.startsWith('..') || isAbsolute(fromRoot) ? path : slashed(fromRoot))
}

function plainLines(text: string): string[] {
  return toSafeText(text.trimEnd(), { colors: false }).split('\n')
}

/** Text of a fixture on one line, without what a terminal would follow or a CI runner would obey. */
function oneLine(text: string): string {
  const line = toSafeText(toPlain(text).replace(/\s+/g, ' ').trim(), { colors: false })
  return line.length > 300 ? `${line.slice(0, 300)}… (${grouped(line.length)} characters)` : line
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}
