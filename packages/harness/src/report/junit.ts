/**
 * The report as JUnit XML: one suite, one case for each smoke. Pure.
 * @see https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd (what is allowed where)
 */
import { toPlain } from './ansi.ts'
import { countVerdicts, type SmokeReport } from './json.ts'
import type { SmokeRecord } from './record.ts'
import { trimStream } from './trim.ts'

/** What CI servers keep of a stream is bounded; more makes their pages slow. In bytes. */
const MAX_STREAM_BYTES = 64 * 1024

/** A whole XML document with a newline at its end. */
export function toJunit(report: SmokeReport): string {
  const { pass, fail, error } = countVerdicts(report)
  const totals = { tests: pass + fail + error, failures: fail, errors: error }
  const time = seconds(report.durationMs)
  const suite = {
    name: 'loader-smoke',
    ...totals,
    skipped: 0,
    time,
    timestamp: new Date(report.startedAtMs).toISOString().slice(0, 19),
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'loader-smoke', time, ...totals })}>`,
    `  <testsuite${attributes(suite)}>`,
    `    <properties><property${attributes({ name: 'node', value: report.machine.node })}/><property${attributes({ name: 'platform', value: report.machine.platform })}/></properties>`,
    ...report.smokes.map(toCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function toCase(smoke: SmokeRecord): string {
  const { label, mode, durationMs, stdout, stderr } = smoke
  return [
    `    <testcase${attributes({ name: `${label} (${mode})`, classname: `loader-smoke.${label.replaceAll('.', '_')}`, time: seconds(durationMs ?? 0) })}>`,
    ...toOutcome(smoke),
    `      <system-out>${escape(trimStream(toPlain(stdout.text), stdout.bytes, MAX_STREAM_BYTES))}</system-out>`,
    `      <system-err>${escape(trimStream(toPlain(stderr.text), stderr.bytes, MAX_STREAM_BYTES))}</system-err>`,
    '    </testcase>',
  ].join('\n')
}

/** `failure` is the fixture's, `error` ours or the caller's. One element: CI servers show the first only. */
function toOutcome({ verdict, reasons, next, rerun, location }: SmokeRecord): string[] {
  if (verdict === 'pass') return []
  const [first] = reasons
  const lines = [
    ...reasons.map(({ line }) => line),
    ...next.map((hint) => `Next: ${hint}`),
    ...(location === null ? [] : [`at ${location.file}${location.line === null ? '' : `:${location.line}`}`]),
    ...(rerun === null ? [] : [`Run it again: ${rerun}`]),
  ]
  const tag = verdict === 'fail' ? 'failure' : 'error'
  const shown = attributes({ type: first?.check ?? verdict, message: (first?.line ?? '').split('\n')[0] ?? '' })
  return [`      <${tag}${shown}>${escape(toPlain(lines.join('\n')))}</${tag}>`]
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3)
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(
      ([name, value]) =>
        ` ${name}="${escape(toPlain(String(value)))
          .replaceAll('"', '&quot;')
          .replace(/[\n\t]/g, ' ')}"`,
    )
    .join('')
}

/** `>` too, since `]]>` may not stand in text; the noncharacters U+FFFE and U+FFFF are no XML. Controls are gone already. */
function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\ufffe\uffff]/g, '\ufffd')
}
