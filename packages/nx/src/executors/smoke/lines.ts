/** What the executor prints beside a failure's own message: what runs, and what came of it. Pure. */
import { isAbsolute, relative } from 'node:path'
import { styleText } from 'node:util'
import type { ExampleMode, LoaderSmokeResult } from '@loader-smoke/harness'
import { slashed } from '../../declared/paths.ts'
import type { RunOptions } from './run-options.ts'

/** Colours for marks; `plain` leaves text as it is. */
export interface Paint {
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly dim: (text: string) => string
}

const same = (text: string): string => text
const plain: Paint = { good: same, bad: same, dim: same }
const coloured: Paint = {
  good: (text) => styleText('green', text, { validateStream: false }),
  bad: (text) => styleText('red', text, { validateStream: false }),
  dim: (text) => styleText('dim', text, { validateStream: false }),
}

/** Nx sets FORCE_COLOR for every task, so NO_COLOR, which only a person sets, comes first. */
export function paintFor(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): Paint {
  if ((env['NO_COLOR'] ?? '') !== '') return plain
  const forced = env['FORCE_COLOR']
  if (forced === undefined || forced === '') return isTerminal ? coloured : plain
  return forced === '0' || forced === 'false' ? plain : coloured
}

/** The lines before a run. */
export function startLines(run: RunOptions, mode: ExampleMode, workspaceRoot: string, paint: Paint): string[] {
  const { binScript, configPath, libBinScript } = run.harness
  const rows: [string, string | undefined][] = [
    ['bin', shown(mode === 'lib' && libBinScript !== undefined ? libBinScript : binScript, workspaceRoot)],
    ['mode', mode === 'src' ? 'src (TypeScript source)' : 'lib (built output, plain Node)'],
    ['config', shown(configPath, workspaceRoot)],
    ['model', shown(run.modelScript, workspaceRoot)],
    ['task', run.task === undefined ? undefined : oneLine(run.task)],
  ]
  return [`smoke ${run.harness.label}`, ...toRows(rows, paint)]
}

/** The lines after a run that passed. */
export function passLines(label: string, result: LoaderSmokeResult, paint: Paint): string[] {
  const answers = result.turns.map(({ output }) => oneLine(output))
  const rows: [string, string | undefined][] = [
    ...answers.map((answer, index): [string, string] => [
      answers.length > 1 ? `answer ${index + 1}` : 'answer',
      answer,
    ]),
    ['tokens', tokens(result)],
    ['exit', result.signal ?? (result.exitCode === 0 ? undefined : String(result.exitCode))],
    ...result.survivors.map(({ pid, command }): [string, string] => [
      'left over',
      `process ${pid} (${command}), ended`,
    ]),
  ]
  return [
    `${paint.good('✔')} ${label} passed in ${seconds(result.durationMs)} (${result.mode})`,
    ...toRows(rows, paint),
  ]
}

/** The line before a failure's message. */
export function failLine(label: string, paint: Paint): string {
  return `${paint.bad('✖')} ${label} did not pass`
}

/** The last line of a task with several smokes. */
export function summaryLine(passed: number, all: number, paint: Paint): string {
  return passed === all
    ? `${paint.good('✔')} all ${all} smokes passed`
    : `${paint.bad('✖')} ${all - passed} of ${all} smokes did not pass`
}

function tokens({ turns }: LoaderSmokeResult): string | undefined {
  const usages = turns.map(({ usage }) => usage).filter((usage) => usage !== undefined)
  if (usages.length === 0) return turns.length === 0 ? undefined : 'not reported by the model'
  const sum = (of: (usage: (typeof usages)[number]) => number | undefined) =>
    usages.reduce((total, usage) => total + (of(usage) ?? 0), 0)
  const parts: [number, string][] = [
    [sum((usage) => usage.inputTokens), 'in'],
    [sum((usage) => usage.outputTokens), 'out'],
    [sum((usage) => usage.cacheReadTokens), 'from cache'],
    [sum((usage) => usage.reasoningTokens), 'of it reasoning'],
  ]
  return parts
    .filter(([count, what]) => count > 0 || what === 'in' || what === 'out')
    .map(([count, what]) => `${grouped(count)} ${what}`)
    .join(', ')
}

function toRows(rows: readonly [string, string | undefined][], paint: Paint): string[] {
  const given = rows.filter((row): row is [string, string] => row[1] !== undefined && row[1] !== '')
  const width = Math.max(0, ...given.map(([name]) => name.length))
  return given.map(([name, value]) => `  ${paint.dim(name.padEnd(width))}  ${value}`)
}

function shown(path: string | undefined, workspaceRoot: string): string | undefined {
  if (path === undefined) return undefined
  const fromRoot = relative(workspaceRoot, path)
  return fromRoot.startsWith('..') || isAbsolute(fromRoot) ? path : slashed(fromRoot)
}

/** Model text on one line without control characters: it may hold escape sequences that a terminal would follow. */
function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is taken out
  const line = text.replace(/[\0-\x1f\x7f-\x9f]+/g, ' ').trim()
  return line.length > 300 ? `${line.slice(0, 300)}… (${grouped(line.length)} characters)` : line
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}
