/** Writes down what an inference looks at, so that its result can be kept for as long as all of that looks the same. */
import { createHash } from 'node:crypto'
import { type FileView, type Question, watched } from '@loader-smoke/harness/config'

/** Something that was looked at, and what was seen: a digest of the value where a name of the environment was asked for. */
export type Look = readonly [question: Question | 'env', subject: string, answer: string]

/** One inference, as it goes on. */
export interface Trace {
  /** What the inference has to look through. */
  readonly view: FileView
  /** The result depends on a name of the environment. */
  readEnv(name: string): void
  /** The result depends on what nobody can tell: it may not be kept. */
  readUnknown(): void
  /** All that was looked at, or undefined for a result that may not be kept. */
  looks(): readonly Look[] | undefined
}

/** Begins a trace of what is looked at in `view`. */
export function trace(view: FileView): Trace {
  const asked = new Map<string, readonly [Look[0], string]>()
  let known = true
  const ask = (question: Look[0], subject: string) => void asked.set(`${question} ${subject}`, [question, subject])
  return {
    view: watched(view, ask),
    readEnv: (name) => ask('env', name),
    readUnknown: () => {
      known = false
    },
    looks: () =>
      known ? [...asked.values()].map(([question, of]) => [question, of, see(question, of, view)]) : undefined,
  }
}

/** True when everything looks as it did. */
export function looksTheSame(looks: readonly Look[], view: FileView): boolean {
  return looks.every(([question, subject, answer]) => see(question, subject, view) === answer)
}

function see(question: Look[0], subject: string, view: FileView): string {
  if (question !== 'env') return view.answer(question, subject)
  const value = process.env[subject]
  return value === undefined ? '' : createHash('sha256').update(value).digest('base64url')
}
