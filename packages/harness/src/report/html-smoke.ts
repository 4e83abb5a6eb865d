/** The part of the report page that tells of one smoke. Pure. */
import { toHtmlStream, toHtmlText } from './html-text.ts'
import { tokensOf } from './json.ts'
import type { SmokeRecord, StepRecord } from './record.ts'
import { endOf, toTimeline, type TimelineEntry } from './timeline.ts'

const VERDICTS = { pass: '✓ passed', fail: '✗ failed', error: '! not judged' } as const

/** The verdict in words, with a sign for those who don't see the colour. */
export function verdictTag({ verdict }: Pick<SmokeRecord, 'verdict'>): string {
  return `<span class="verdict ${verdict}">${VERDICTS[verdict]}</span>`
}

/** A section with the id `smoke-<number>`; `previous` is the same smoke in the run before. */
export function toSmokeSection(smoke: SmokeRecord, number: number, previous: SmokeRecord | null): string {
  const id = `smoke-${number}`
  const open = smoke.verdict !== 'pass'
  return `<section id="${id}" class="${smoke.verdict}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${toHtmlText(smoke.label)} <span class="muted">${smoke.mode}</span> ${verdictTag(smoke)}</h2>
${reasons(smoke)}${facts(smoke, previous)}${timeline(smoke)}${steps(smoke)}${answers(smoke)}
${stream(smoke, 'stdout', open)}
${stream(smoke, 'stderr', open)}
${details(`Environment: ${smoke.envNames.length} names`, list(smoke.envNames), smoke.envNames.length > 0)}
${details('Command', `<pre class="command">${toHtmlText(smoke.command.join(' '))}</pre>`, smoke.command.length > 0)}
</section>`
}

function reasons({ reasons, next, rerun, location, bootWarnings, survivors, keptWorld, verdict }: SmokeRecord): string {
  const notes = [
    ...next.map((hint) => `<li>${toHtmlText(hint)}</li>`),
    ...(location === null
      ? []
      : [`<li>See ${toHtmlText(`${location.file}${location.line === null ? '' : `:${location.line}`}`)}</li>`]),
    ...(verdict === 'pass' ? bootWarnings : []).map(
      (warning) => `<li>Booted with a warning: ${toHtmlText(warning)}</li>`,
    ),
    ...(verdict === 'pass' ? survivors : []).map(
      ({ pid, command }) => `<li>Outlived the bin and was ended: ${pid} ${toHtmlText(command)}</li>`,
    ),
    ...(keptWorld === null ? [] : [`<li>The world was kept: ${toHtmlText(keptWorld)}</li>`]),
  ]
  const why = reasons.map(({ line }) => `<pre>${toHtmlText(line)}</pre>`).join('')
  const again = rerun === null ? '' : `<h3>Run it again</h3><pre class="command">${toHtmlText(rerun)}</pre>`
  return [
    why === '' ? '' : `<div class="reasons">${why}</div>`,
    notes.length === 0 ? '' : `<ul>${notes.join('')}</ul>`,
    again,
  ].join('')
}

function facts(smoke: SmokeRecord, previous: SmokeRecord | null): string {
  const tokens = tokensOf(smoke)
  const before = previous === null ? null : tokensOf(previous)
  const rows: (readonly [string, string])[] = [
    ['End', endOf(smoke)],
    ['Time', compared(smoke.durationMs, previous?.durationMs ?? null, toSeconds)],
    ['Deadline', toSeconds(smoke.deadlineMs)],
  ]
  if (tokens !== null) {
    rows.push(['Tokens in', compared(tokens.input, before?.input ?? null, String)])
    rows.push(['Tokens out', compared(tokens.output, before?.output ?? null, String)])
  }
  if (smoke.requests.length > 0)
    rows.push(['Model requests', compared(smoke.requests.length, previous?.requests.length ?? null, String)])
  if (smoke.containment !== null) rows.push(['Containment', smoke.containment])
  if (previous !== null && previous.verdict !== smoke.verdict) rows.push(['Before', VERDICTS[previous.verdict]])
  return `<dl>${rows.map(([name, value]) => `<div><dt>${name}</dt><dd>${toHtmlText(value)}</dd></div>`).join('')}</dl>`
}

/** A number beside what it was in the previous run, when it differs. */
function compared(value: number | null, before: number | null, show: (value: number) => string): string {
  if (value === null) return 'none'
  if (before === null || before === value) return show(value)
  return `${show(value)} (was ${show(before)}, ${value > before ? '+' : '−'}${show(Math.abs(value - before))})`
}

function toSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}

function timeline(smoke: SmokeRecord): string {
  const entries = toTimeline(smoke)
  const whole = smoke.durationMs ?? 0
  if (entries.length === 0) return ''
  const percent = (part: number) => `${whole === 0 ? 0 : ((part / whole) * 100).toFixed(2)}%`
  const row = ({ kind, name, atMs, durationMs }: TimelineEntry) => {
    const left = `min(${percent(atMs)},calc(100% - 3px))`
    const bar = `<div class="track"><div class="bar" style="left:${left};width:${percent(durationMs ?? 0)}"></div></div>`
    return `<tr class="${kind}"><td class="n">${atMs} ms</td><td>${toHtmlText(name)}</td><td class="n">${durationMs === null ? '' : `${durationMs} ms`}</td><td aria-hidden="true">${bar}</td></tr>`
  }
  return `<h3>Timeline</h3><div class="scroll" tabindex="0" role="region" aria-label="Timeline of ${toHtmlText(smoke.label)}"><table class="timeline"><thead><tr><th class="n" scope="col">At</th><th scope="col">What</th><th class="n" scope="col">Took</th><td></td></tr></thead><tbody>${entries.map(row).join('')}</tbody></table></div>`
}

function steps({ turns, label }: SmokeRecord): string {
  const rows = turns
    .flatMap(({ turn, steps }) => steps.map((step) => ({ turn, ...step })))
    .filter(({ usage }) => usage !== null)
  if (rows.length === 0) return ''
  const titles = ['Input', 'Cached', 'Output', 'Reasoning'].map((title) => `<th class="n" scope="col">${title}</th>`)
  return `<h3>Tokens by step</h3><div class="scroll" tabindex="0" role="region" aria-label="Tokens of ${toHtmlText(label)}"><table><thead><tr><th scope="col">Step</th>${titles.join('')}</tr></thead><tbody>${rows.map(stepRow).join('')}</tbody></table></div>`
}

function stepRow({ turn, step, usage }: StepRecord & { readonly turn: number }): string {
  const counts = [usage?.inputTokens, usage?.cacheReadTokens, usage?.outputTokens, usage?.reasoningTokens]
  return `<tr><td>turn ${turn}, step ${step}</td>${counts.map((count) => `<td class="n">${count ?? ''}</td>`).join('')}</tr>`
}

function answers({ turns }: SmokeRecord): string {
  return turns
    .filter(({ output }) => output !== null && output !== '')
    .map(({ turn, output }) => `<h3>Answer of turn ${turn}</h3><pre>${toHtmlText(output ?? '')}</pre>`)
    .join('')
}

function stream(smoke: SmokeRecord, name: 'stdout' | 'stderr', open: boolean): string {
  const { text, bytes, truncated } = smoke[name]
  if (bytes === 0) return `<p class="muted">${name}: empty</p>`
  const title = `${name}: ${bytes} bytes${truncated ? ', head and tail' : ''}`
  const label = `${name} of ${toHtmlText(smoke.label)}`
  return details(
    title,
    `<pre class="stream" tabindex="0" role="region" aria-label="${label}">${toHtmlStream(text)}</pre>`,
    true,
    open,
  )
}

function list(names: readonly string[]): string {
  return `<ul class="names">${names.map((name) => `<li>${toHtmlText(name)}</li>`).join('')}</ul>`
}

function details(title: string, content: string, some: boolean, open = false): string {
  return some ? `<details${open ? ' open' : ''}><summary>${title}</summary>${content}</details>` : ''
}
