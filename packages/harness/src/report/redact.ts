/** Masks secrets in what people will read. Pure. */
import type { TextMatch } from '../config/expectations.ts'
import { MASK, maskAcross } from './mask-across.ts'

const SECRET_NAME = /_(?:KEY|TOKEN|SECRET|PASSWORD)$/i
/** Shorter values ("true", "1234") are no secrets, and masking them would garble the text. */
const MIN_SECRET_LENGTH = 8

/** What is to be masked. */
export interface Secrets {
  /** Longer ones first, so that one inside another leaves nothing over. */
  readonly texts: readonly string[]
  readonly patterns: readonly RegExp[]
}

/** The values of environment names that end like a secret's, in each of `environments`, and whatever `more` names. */
export function secretsOf(
  environments: readonly Readonly<Record<string, string | null | undefined>>[],
  more: readonly TextMatch[],
): Secrets {
  const texts = new Set(more.filter((match) => typeof match === 'string'))
  for (const environment of environments)
    for (const [name, value] of Object.entries(environment))
      if (isSecretName(name) && typeof value === 'string' && value.length >= MIN_SECRET_LENGTH) texts.add(value)
  return {
    texts: [...texts].toSorted((a, b) => b.length - a.length),
    patterns: more.filter((match) => typeof match !== 'string').map(toGlobal),
  }
}

/** A function that masks every secret in a text, also one with control sequences in it, which those who print the text take out. */
export function masker(secrets: Secrets): (text: string) => string {
  const { texts, patterns } = secrets
  return (text) => {
    const whole = maskAcross(text, secrets)
    const masked = texts.reduce((rest, secret) => rest.replaceAll(secret, MASK), whole)
    return patterns.reduce((rest, pattern) => rest.replace(pattern, MASK), masked)
  }
}

/** A function that masks every secret of `secretsOf` in a text. */
export function redactor(...given: Parameters<typeof secretsOf>): (text: string) => string {
  return masker(secretsOf(...given))
}

/** The name of an environment variable that holds a secret by convention. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

function toGlobal(match: Exclude<TextMatch, string>): RegExp {
  const source = match instanceof RegExp ? match.source : match.pattern
  const flags = (match.flags ?? '').replace(/[gy]/g, '')
  return new RegExp(source, `${flags}g`)
}
