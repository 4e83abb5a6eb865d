/**
 * The report for GitHub Actions: annotations, which are printed, and the step summary, which is written to a file. Pure.
 * @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
import { toPlain } from './ansi.ts'
import { countVerdicts, type SmokeReport, tokensOf } from './json.ts'
import type { SmokeRecord } from './record.ts'
import { trimStream } from './trim.ts'

/** GitHub shows at most ten annotations of each kind for a step. */
const MAX_ANNOTATIONS = 10
const MAX_SUMMARY_STREAM_BYTES = 8 * 1024
/** GitHub refuses a summary above 1 MiB. */
const MAX_SUMMARY_BYTES = 1_000_000

/** One `::error` command a line for each smoke that did not pass, and a `::warning` for what outlived one that did; empty for a report without either. */
export function toAnnotations({ smokes }: SmokeReport, workspace: string): string {
  const errors = smokes.filter(({ verdict }) => verdict !== 'pass')
  const lines = errors
    .slice(0, MAX_ANNOTATIONS)
    .map((smoke) => annotation('error', smoke, reasonText(smoke), workspace))
  const left = smokes.filter(({ verdict, survivors }) => verdict === 'pass' && survivors.length > 0)
  for (const smoke of left.slice(0, MAX_ANNOTATIONS))
    lines.push(
      annotation('warning', smoke, `${smoke.label} left ${smoke.survivors.length} processes behind.`, workspace),
    )
  return lines.map((line) => `${line}\n`).join('')
}

function reasonText({ reasons, next }: SmokeRecord): string {
  return [...reasons.map(({ line }) => line), ...next.map((hint) => `Next: ${hint}`)].join('\n')
}

function annotation(
  kind: 'error' | 'warning',
  { label, mode, location }: SmokeRecord,
  text: string,
  workspace: string,
): string {
  const properties: Record<string, string | number> = { title: `${label} (${mode})` }
  const file = location === null ? null : below(workspace, location.file)
  if (file !== null) {
    properties['file'] = file
    if (location?.line) properties['line'] = location.line
    if (location?.line && location.column) properties['col'] = location.column
  }
  const shown = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
  return `::${kind} ${shown.join(',')}::${escapeData(text)}`
}

function below(folder: string, file: string): string | null {
  const [base, path] = [folder, file].map((given) => given.replaceAll('\\', '/').replace(/\/+$/, '')) as [
    string,
    string,
  ]
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : null
}

/** A command is one line; `%0A` in it is a newline of its text. */
function escapeData(text: string): string {
  return toPlain(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** Markdown: a table of all smokes, then each that did not pass with its reason and the ends of its streams. */
export function toSummary(report: SmokeReport): string {
  const { pass, fail, error } = countVerdicts(report)
  const total = `${pass} passed, ${fail} failed${error > 0 ? `, ${error} not run` : ''}`
  const head = [
    `## Smokes: ${total}`,
    '',
    '| | Smoke | Mode | Time | Tokens in / out | |',
    '|---|---|---|---:|---:|---|',
    ...report.smokes.map(toRow),
    '',
  ].join('\n')
  let summary = head
  for (const smoke of report.smokes) {
    if (smoke.verdict === 'pass') continue
    const section = toSection(smoke)
    if (Buffer.byteLength(summary) + Buffer.byteLength(section) > MAX_SUMMARY_BYTES)
      return `${summary}\nThe rest is left out: a summary holds at most 1 MiB.\n`
    summary += section
  }
  return summary
}

const SIGNS = { pass: '✅', fail: '❌', error: '⚠️' } as const

function toRow(smoke: SmokeRecord): string {
  const tokens = tokensOf(smoke)
  const cells = [
    SIGNS[smoke.verdict],
    cell(smoke.label),
    smoke.mode,
    smoke.durationMs === null ? '' : `${(smoke.durationMs / 1000).toFixed(2)} s`,
    tokens === null ? '' : `${tokens.input} / ${tokens.output}`,
    cell((smoke.reasons[0]?.line ?? '').slice(0, 300).split('\n')[0] ?? ''),
  ]
  return `| ${cells.join(' | ')} |`
}

function toSection(smoke: SmokeRecord): string {
  const again = smoke.rerun === null ? [] : [`Run it again: ${smoke.rerun}`]
  const parts = [
    `### ${SIGNS[smoke.verdict]} ${cell(smoke.label)} (${smoke.mode})`,
    fenced([reasonText(smoke), ...again].join('\n')),
  ]
  for (const name of ['stdout', 'stderr'] as const) {
    const { text, bytes } = smoke[name]
    if (bytes > 0) parts.push(`${name} (${bytes} bytes)`, fenced(trimStream(text, bytes, MAX_SUMMARY_STREAM_BYTES)))
  }
  return `\n${parts.join('\n\n')}\n`
}

/** A fence that is longer than any in the text: nothing in it is read as Markdown or HTML. */
function fenced(text: string): string {
  const shown = toPlain(text)
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${shown}${shown.endsWith('\n') ? '' : '\n'}${fence}`
}

/** One line of text in which no character has a meaning in Markdown, HTML or a mention. */
function cell(text: string): string {
  return toPlain(text)
    .replaceAll('\n', ' ')
    .replace(/[&<>|`*_[\]\\@#]/g, (character) => `&#${character.charCodeAt(0)};`)
}
