/** The message of a smoke that did not pass. Pure. */
import type { SmokeSpec } from '../config/resolve.ts'
import type { Facts } from '../observe/facts.ts'
import type { Verdict } from '../verdict/verdict.ts'
import { toVisible } from './ansi.ts'
import { hintsFor } from './hints.ts'
import { toSafeText } from './safe-text.ts'
import { trimStream } from './trim.ts'

/** What a message tells beside the verdict. */
export interface Circumstances {
  readonly redact: (text: string) => string
  /** The folder of the run when it was kept. */
  readonly keptWorld: string | null
  /** What went wrong while cleaning up, beside the verdict. */
  readonly cleanUp: string | null
  /** The shell command that runs the smoke again. */
  readonly rerun: string | null
}

/**
 * The reason first, then both streams, then every further reason, what to do next, and the command that runs it again.
 * The streams follow the first reason directly: readers and expressions written for this kind of harness look for them there.
 * A blank line ends them, so that nothing after them reads as if the bin had written it. Runners print the message as it is, so no control
 * sequence of the fixture's has power in it, and no line of the fixture's is a command of a CI runner; ordinary text stays as it was.
 */
export function toText(spec: SmokeSpec, verdict: Exclude<Verdict, { kind: 'pass' }>, about: Circumstances): string {
  const lines = verdict.kind === 'fail' ? verdict.failed.map(({ line }) => `${spec.label} ${line}`) : [verdict.message]
  const said = (text: string) => toSafeText(about.redact(text), { colors: false })
  const [first = '', ...more] = lines.map(said)
  const { facts } = verdict
  const parts = more
  if (facts !== null) parts.push(...hintsFor(spec, facts).map((hint) => `Next: ${said(hint)}`))
  if (about.cleanUp !== null) parts.push(said(`After that, ${about.cleanUp}`))
  if (about.keptWorld !== null) parts.push(`The world was kept: ${about.keptWorld}`)
  if (about.rerun !== null) parts.push(`Run it again: ${said(about.rerun)}`)
  const head = facts === null ? first : withStreams(first, facts, about.redact)
  const last = parts.pop()
  if (last === undefined) return head
  return [toLine(head), ...(facts === null ? [] : ['\n']), ...parts.map(toLine), last].join('')
}

function toLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}

function withStreams(line: string, { stdout, stderr }: Facts, redact: (text: string) => string): string {
  // Masked before it is cut: a secret across the cut would be recognized by nobody. Made safe after it: the cut begins a line.
  const shown = (stream: Facts['stdout']) =>
    toSafeText(toVisible(trimStream(redact(stream.text), stream.bytes)), { colors: false })
  const join = line.endsWith('.') && !line.includes('\n') ? ' ' : '\n'
  return `${line}${join}stdout:\n${shown(stdout)}\nstderr:\n${shown(stderr)}`
}
