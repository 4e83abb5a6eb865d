/** Judges a run: spec and facts in, verdict out. Pure. */
import type { Facts } from '../observe/facts.ts'
import { checks, endMet } from './checks.ts'
import type { JudgedBy, Verdict } from './verdict.ts'

/** The verdict of a run that was observed. An interrupted run is not judged: nothing it did was its own doing. */
export function judge(spec: JudgedBy, facts: Facts): Verdict {
  if (facts.interrupted !== null) {
    const by = facts.interrupted === 'disconnect' ? 'the end of its parent process' : facts.interrupted
    const message = `${spec.label} was interrupted by ${by}.`
    return { kind: 'error', stage: 'interrupted', message, facts, cause: undefined }
  }
  const [first, ...more] = checks.flatMap((check) => check(spec, facts))
  return first === undefined ? { kind: 'pass', facts } : { kind: 'fail', facts, failed: [first, ...more] }
}

/** True when the process ended the way the spec expects, whatever it did before. */
export function endedAsExpected(spec: JudgedBy, facts: Facts): boolean {
  return facts.interrupted === null && endMet(spec, facts)
}
