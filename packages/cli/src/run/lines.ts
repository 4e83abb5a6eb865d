/** What the terminal or log shows of a smoke: the reason first, then what to do. Pure. */
import type { SmokeRecord } from '@loader-smoke/harness'
import { countVerdicts, endOf, toPlain, toSafeText, tokensOf, trimStream } from '@loader-smoke/harness/report'
import type { Paint } from './paint.ts'

/** Head and tail of each stream that is shown, together; the reports have more. */
const MAX_SHOWN_BYTES = 8 * 1024

/** The lines of one smoke that has ended. */
export function smokeLines(smoke: SmokeRecord, paint: Paint): string[] {
  const { label, mode, verdict, durationMs } = smoke
  const sign = { pass: paint.good('✓'), fail: paint.bad('✗'), error: paint.warn('!') }[verdict]
  const time = durationMs === null ? '' : ` in ${seconds(durationMs)}`
  const head = `${sign} ${paint.bold(oneLine(label))} (${mode}) ${words[verdict]}${time}${paint.dim(details(smoke))}`
  return verdict === 'pass' ? [head, ...notes(smoke, paint)] : [head, ...reasonLines(smoke, paint)]
}

const words = { pass: 'passed', fail: 'failed', error: 'was not judged' } as const

/** The answer and its cost, on one line. */
function details(smoke: SmokeRecord): string {
  const tokens = tokensOf(smoke)
  const answer = smoke.turns.findLast(({ output }) => output !== null && output !== '')?.output
  const parts = [
    tokens === null ? '' : `${tokens.input} tokens in, ${tokens.output} out`,
    answer ? `"${shortened(oneLine(answer))}"` : '',
  ]
  return parts
    .filter((part) => part !== '')
    .map((part) => ` · ${part}`)
    .join('')
}

function notes({ survivors, keptWorld }: SmokeRecord, paint: Paint): string[] {
  return [
    ...survivors.map(({ pid, command }) =>
      paint.warn(`  outlived the bin and was ended: ${pid} ${shortened(oneLine(command))}`),
    ),
    ...(keptWorld === null ? [] : [`  the world was kept: ${oneLine(keptWorld)}`]),
  ]
}

function reasonLines(smoke: SmokeRecord, paint: Paint): string[] {
  const lines = smoke.reasons.flatMap(({ line }) => indented(line)).map(paint.bad)
  if (
    smoke.durationMs !== null &&
    smoke.reasons.every(({ check }) => check !== 'exit-code' && check !== 'signal' && check !== 'deadline')
  )
    lines.push(paint.dim(`  ended: ${endOf(smoke)}`))
  for (const name of ['stdout', 'stderr'] as const) {
    const { text, bytes } = smoke[name]
    if (smoke.durationMs === null) continue
    if (bytes === 0) {
      lines.push(paint.dim(`  ${name}: empty`))
      continue
    }
    const shown = trimStream(text, bytes, MAX_SHOWN_BYTES)
    lines.push(paint.dim(`  ${name} (${bytes} bytes${shown === text ? '' : ', head and tail'}):`))
    lines.push(
      ...toSafeText(shown.replace(/\n$/, ''), { colors: paint.colors, gutter: `  ${paint.dim('│')} ` }).split('\n'),
    )
  }
  for (const hint of smoke.next) lines.push(...indented(`Next: ${hint}`))
  if (smoke.location !== null)
    lines.push(
      ...indented(`See ${smoke.location.file}${smoke.location.line === null ? '' : `:${smoke.location.line}`}`),
    )
  if (smoke.keptWorld !== null) lines.push(...indented(`The world was kept: ${smoke.keptWorld}`))
  if (smoke.rerun !== null) lines.push(...indented(`Run it again: ${smoke.rerun}`))
  return lines
}

/** Lines of ours that may quote a fixture. */
function indented(text: string): string[] {
  const safe = toSafeText(text.trimEnd(), { colors: false })
  return safe.split('\n').map((line) => `  ${line}`)
}

/** The last line of a call. `missing` smokes were not started. */
export function totalLine(smokes: readonly SmokeRecord[], missing: number, durationMs: number, paint: Paint): string {
  const { pass, fail, error } = countVerdicts({ smokes })
  const parts = [
    pass > 0 || smokes.length === 0 ? paint.good(`${pass} passed`) : '0 passed',
    fail > 0 ? paint.bad(`${fail} failed`) : '0 failed',
    ...(error > 0 ? [paint.warn(`${error} not judged`)] : []),
    ...(missing > 0 ? [paint.warn(`${missing} not run`)] : []),
  ]
  return `${parts.join(', ')} in ${seconds(durationMs)}`
}

/** Text on one line, without what a terminal would follow or a CI runner would obey. */
export function oneLine(text: string): string {
  return toSafeText(toPlain(text).replace(/\s+/g, ' ').trim(), { colors: false })
}

function shortened(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}

/** `1.25 s`. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}
