/**
 * The report as one HTML page that needs nothing else: no script, no request. Pure.
 * Its content security policy forbids both, so that a mistake in escaping still runs nothing.
 */
import { toSmokeSection, verdictTag } from './html-smoke.ts'
import { STYLE } from './html-style.ts'
import { toHtmlText } from './html-text.ts'
import { countVerdicts, type SmokeReport } from './json.ts'
import type { SmokeRecord } from './record.ts'

/** The page; `previous` is the run before, to compare with. */
export function toHtml(report: SmokeReport, previous: SmokeReport | null = null): string {
  const { pass, fail, error } = countVerdicts(report)
  const total = `${pass} passed, ${fail} failed${error > 0 ? `, ${error} not judged` : ''}`
  const before = (smoke: SmokeRecord) =>
    previous?.smokes.find(({ label, mode }) => label === smoke.label && mode === smoke.mode) ?? null
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>Smokes: ${total}</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#smokes">Skip to the smokes</a>
<header>
<h1>Smokes: ${total}</h1>
<p class="muted">${about(report)}${previous === null ? '' : `<br>Compared with the run of ${toTime(previous.startedAtMs)}`}</p>
</header>
<nav aria-label="Smokes"><ul>
${report.smokes.map((smoke, index) => `<li><a href="#smoke-${index + 1}">${toHtmlText(smoke.label)}</a> ${verdictTag(smoke)}</li>`).join('\n')}
</ul></nav>
<main id="smokes">
${report.smokes.map((smoke, index) => toSmokeSection(smoke, index + 1, before(smoke))).join('\n')}
</main>
</body>
</html>
`
}

function about({ startedAtMs, durationMs, machine, tool }: SmokeReport): string {
  const parts = [
    toTime(startedAtMs),
    `${(durationMs / 1000).toFixed(2)} s`,
    `Node ${toHtmlText(machine.node)}`,
    toHtmlText(machine.platform),
    `${toHtmlText(tool.name)} ${toHtmlText(tool.version)}`,
  ]
  return parts.join(' · ')
}

function toTime(epochMs: number): string {
  const iso = new Date(epochMs).toISOString()
  return `<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}
