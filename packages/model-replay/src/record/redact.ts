/** Takes secrets out of text before it is kept. */
import { isSecretHeader } from '../serve/records.ts'
import { escapePattern } from './escape-pattern.ts'

const MASK = '[secret]'
/** Shorter values would be found in ordinary words. */
const MIN_SECRET_LENGTH = 6

/** Forms that well-known services give their keys, and ids of accounts. */
const KNOWN_FORMS: readonly RegExp[] = [
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{8,}/g,
  /\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{8,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{16,}/g,
  /\bgithub_pat_\w{16,}/g,
  /\bglpat-[\w-]{16,}/g,
  /\bnpm_[A-Za-z0-9]{16,}/g,
  /\bhf_[A-Za-z0-9]{16,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{8,}/g,
  /\bAIza[\w-]{20,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:org|proj|user|acct)[-_][A-Za-z0-9]{16,}/g,
]

/** `name: value` and `name=value` in JSON, also within JSON text, in YAML, in shell assignments and in query strings. */
const NAMED_VALUE =
  /((?:api[-_]?key|secret|passw(?:or)?d|credentials?|(?:access|refresh|auth|bearer|session|id)[-_]?token|private[-_]?key|client[-_]?secret|account[-_]?id|organi[sz]ation[-_]?id|authorization)[\\"']*\s*[:=]\s*[\\"']*)((?:Bearer |Basic )?[^\s"'\\,;&}]{4,})/gi

const BEARER = /\b(Bearer|Basic) [A-Za-z0-9._~+/=-]{6,}/g
const URL_LOGIN = /(:\/\/)[^\s/:@"']+:[^\s/@"']+(?=@)/g

/** `api-version=2026-11-30-preview` and its like. */
const VERSION = /^v?[\d.-]+(?:-\w+)?$/
const SECRET_NAME = /key|token|secret|passw|credential/i

/** Knows the secrets of one run: what the environment, the headers and the queries hold, and what looks like one. */
export class Redactor {
  readonly #patterns: readonly RegExp[]
  readonly #values = new Set<string>()
  #finder: RegExp | undefined

  /** `patterns`: further texts, or regular expressions, that must not be kept. */
  constructor(patterns: readonly (string | RegExp)[], env: NodeJS.ProcessEnv) {
    this.#patterns = patterns.flatMap((one) => (typeof one === 'string' ? [] : [withFlag(one, 'g')]))
    for (const one of patterns) if (typeof one === 'string') this.learn(one)
    for (const [name, value = ''] of Object.entries(env))
      if (SECRET_NAME.test(name) && value.length > 7) this.learn(value)
  }

  /** Takes in the values of secret headers and of every query parameter. */
  learnRequest(url: string, headers: NodeJS.Dict<string | string[]>): void {
    for (const value of new URLSearchParams(url.split(/\?(.*)/s, 2)[1] ?? '').values())
      if (!VERSION.test(value)) this.learn(value)
    for (const [name, value] of Object.entries(headers)) {
      if (!isSecretHeader(name)) continue
      for (const one of [value ?? []].flat()) {
        this.learn(one)
        for (const part of one.split(/[\s;,]+|(?<=[A-Za-z])=(?=.)/)) this.learn(part)
        if (one.startsWith('Basic '))
          this.learn(
            Buffer.from(one.slice(6), 'base64')
              .toString('utf8')
              .replace(/^[^:]*:/, ''),
          )
      }
    }
  }

  /** A value that must not be kept, in whatever way it is written. */
  learn(value: string): void {
    if (value.length < MIN_SECRET_LENGTH || value === MASK || /^(?:Bearer|Basic)$/.test(value)) return
    const written = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]
    for (const one of [...written, Buffer.from(value).toString('base64').replace(/=+$/, '')]) this.#values.add(one)
    this.#finder = undefined
  }

  /** `text` with every secret replaced by `[secret]`. Cleaning twice changes nothing. */
  clean(text: string): string {
    let clean = this.#withoutValues(text)
    for (const pattern of this.#patterns) clean = clean.replaceAll(pattern, MASK)
    for (const form of KNOWN_FORMS) clean = clean.replaceAll(form, MASK)
    return clean
      .replaceAll(URL_LOGIN, `$1${MASK}`)
      .replaceAll(NAMED_VALUE, (whole, name: string, value: string) =>
        value.startsWith(MASK) ? whole : `${name}${MASK}`,
      )
      .replaceAll(BEARER, `$1 ${MASK}`)
  }

  /** Whether `text` holds a value that was learnt. */
  holdsValue(text: string): boolean {
    return this.#withoutValues(text) !== text
  }

  #withoutValues(text: string): string {
    if (this.#values.size === 0) return text
    this.#finder ??= new RegExp(
      [...this.#values]
        .toSorted((a, b) => b.length - a.length)
        .map((value) => escapePattern(value))
        .join('|'),
      'g',
    )
    return text.replaceAll(this.#finder, MASK)
  }
}

function withFlag(pattern: RegExp, flag: string): RegExp {
  return pattern.flags.includes(flag) ? pattern : new RegExp(pattern.source, pattern.flags + flag)
}
