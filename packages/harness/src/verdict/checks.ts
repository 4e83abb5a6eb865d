/** Every expectation of a run, one function each, in the order in which failures are told. Pure. */
import type { Facts } from '../observe/facts.ts'
import type { TurnFact } from '../observe/report-file.ts'
import type { CheckName, FailedCheck, JudgedBy } from './verdict.ts'

type Check = (spec: JudgedBy, facts: Facts) => readonly FailedCheck[]

const ok: readonly FailedCheck[] = []

function failed(name: CheckName, line: string): readonly FailedCheck[] {
  return [{ name, line }]
}

/** We ended the run ourselves: its signal or exit code is then our doing and says nothing more. */
function endedByUs({ timedOut, overflowed, stopped }: Facts): boolean {
  return timedOut || overflowed !== null || stopped
}

const checkDeadline: Check = ({ deadlineMs }, { timedOut }) =>
  timedOut ? failed('deadline', `did not exit within ${deadlineMs / 1000}s.`) : ok

const checkOutputSize: Check = ({ maxOutputBytes }, { overflowed }) =>
  overflowed === null ? ok : failed('output-size', `wrote more than ${maxOutputBytes} bytes to ${overflowed}.`)

const checkSignal: Check = ({ expect }, facts) => {
  const { signal } = facts
  if (signal === null || signal === expect.signal || endedByUs(facts)) return ok
  const expected = expect.signal === null ? `exit ${expect.exitCode}` : `signal ${expect.signal}`
  return failed('signal', `was killed by ${signal} (expected ${expected}).`)
}

const checkExitCode: Check = ({ expect }, facts) => {
  const { exitCode, signal } = facts
  if (signal !== null || endedByUs(facts)) return ok
  if (expect.signal !== null) return failed('exit-code', `exited ${exitCode} (expected signal ${expect.signal}).`)
  return exitCode === expect.exitCode ? ok : failed('exit-code', `exited ${exitCode} (expected ${expect.exitCode}).`)
}

/** A failed turn is part of the design when the run was meant to end badly, did, and no turn is asked for. */
const checkRootAgent: Check = (spec, facts) => {
  const { expect } = spec
  const endsBadly = expect.signal !== null || expect.exitCode !== 0
  if (endsBadly && expect.turn === 'optional' && endMet(spec, facts)) return ok
  return facts.turns.flatMap((turn) => {
    if (turn.state === 'failed') return failed('root-agent', `root agent failed: ${turn.reason}`)
    // Cut off by the end that was told above already.
    if (turn.state === 'unfinished' && endMet(spec, facts))
      return failed('root-agent', `root agent failed: turn ${turn.turn} began and the bin ended before it did.`)
    return ok
  })
}

const checkTurn: Check = ({ expect }, { turns }) => {
  if (expect.turn === 'required' && turns.length === 0) return failed('turn', 'drove no turn (expected one).')
  const answer = turns.filter((turn) => turn.state === 'ended').at(-1)?.envelope.output
  if (answer === undefined) return ok
  return expect.output.flatMap((matcher) =>
    matcher.matches(answer) ? ok : failed('turn', `answered ${JSON.stringify(answer)} (expected ${matcher.shown}).`),
  )
}

const checkTools: Check = ({ expect: { tools } }, { turns }) => {
  if (tools === null) return ok
  const called = ended(turns).flatMap((turn) => turn.tools.map(({ name }) => name))
  const met = tools.inOrder ? isSubsequence(tools.called, called) : tools.called.every((name) => called.includes(name))
  const order = tools.inOrder ? ', in this order' : ''
  return met ? ok : failed('tools', `called ${list(called, 'no tool')} (expected ${list(tools.called, '')}${order}).`)
}

const checkTokens: Check = ({ expect: { maxTokens } }, { turns }) => {
  if (maxTokens === null) return ok
  const usages = ended(turns).map(({ envelope }) => envelope.usage)
  if (usages.length === 0) return ok
  if (usages.includes(undefined))
    return failed('tokens', `reported no token usage (expected at most ${maxTokens} tokens).`)
  const total = usages.reduce((sum, usage) => sum + (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0), 0)
  return total <= maxTokens ? ok : failed('tokens', `used ${total} tokens (expected at most ${maxTokens}).`)
}

const checkReport: Check = (_, { problems }) =>
  problems.flatMap((problem) => failed('report', `wrote a broken turn report: ${problem}.`))

const checkBoot: Check = (_, { bootWarnings }) =>
  bootWarnings.flatMap((warning) => failed('boot', `boot reported: ${warning}`))

const checkServices: Check = (_, { services }) =>
  services.flatMap(({ name, failures }) => failures.flatMap((failure) => failed('service', `${name}: ${failure}`)))

const checkStream =
  (stream: 'stdout' | 'stderr'): Check =>
  ({ expect }, facts) =>
    expect[stream].flatMap((matcher) => {
      const { text, bytes, truncated } = facts[stream]
      // Neither a match nor its absence in the rest would say anything of the whole.
      if (truncated)
        return failed(stream, `wrote ${bytes} bytes to ${stream}, too many to search for ${matcher.shown}.`)
      return matcher.matches(text) ? ok : failed(stream, `wrote no ${matcher.shown} to ${stream}.`)
    })

const checkFiles: Check = ({ expect }, { files }) =>
  expect.files.flatMap(({ path, present, content }) => {
    const fact = files.find((file) => file.path === path)
    const shown = JSON.stringify(path)
    if (fact === undefined || fact.state === 'absent')
      return present ? failed('files', `left no file ${shown} in its world (expected one).`) : ok
    if (!present) return failed('files', `left ${shown} in its world (expected none).`)
    if (fact.state !== 'file') return failed('files', `left ${shown} as ${stateName[fact.state]} (expected a file).`)
    if (content === null) return ok
    if (fact.text === null)
      return failed('files', `left ${shown} with ${fact.bytes} bytes, too many to search for ${content.shown}.`)
    return content.matches(fact.text) ? ok : failed('files', `left ${shown} without ${content.shown} in it.`)
  })

const stateName = { folder: 'no regular file', outside: 'a link that leads out of its world' } as const

const checkDuration: Check = ({ expect }, { durationMs }) =>
  expect.durationMs === null || durationMs <= expect.durationMs
    ? ok
    : failed('duration', `took ${Math.round(durationMs)} ms (expected at most ${expect.durationMs}).`)

const checkSurvivors: Check = ({ expect }, { survivors }) => {
  if (expect.survivors === 'report' || survivors.length === 0) return ok
  const named = survivors.map(({ pid, command }) => `\n  ${pid} ${command}`).join('')
  return failed('survivors', `left ${survivors.length} processes behind.${named}`)
}

const checkInspection: Check = (_, { inspection }) =>
  inspection === null || inspection.failure === null ? ok : failed('inspect', `inspect failed: ${inspection.failure}`)

/** How the process ended. */
const endChecks: readonly Check[] = [checkDeadline, checkOutputSize, checkSignal, checkExitCode]

/** All of them. */
export const checks: readonly Check[] = [
  ...endChecks,
  checkRootAgent,
  checkTurn,
  checkTools,
  checkTokens,
  checkReport,
  checkBoot,
  checkServices,
  checkStream('stdout'),
  checkStream('stderr'),
  checkFiles,
  checkDuration,
  checkSurvivors,
  checkInspection,
]

/** The process ended as it was meant to. */
export function endMet(spec: JudgedBy, facts: Facts): boolean {
  return endChecks.every((check) => check(spec, facts).length === 0)
}

function ended(turns: readonly TurnFact[]): Extract<TurnFact, { state: 'ended' }>[] {
  return turns.filter((turn) => turn.state === 'ended')
}

function isSubsequence(wanted: readonly string[], had: readonly string[]): boolean {
  let at = 0
  for (const name of had) if (name === wanted[at]) at++
  return at === wanted.length
}

function list(names: readonly string[], none: string): string {
  return names.length === 0 ? none : names.join(', ')
}
