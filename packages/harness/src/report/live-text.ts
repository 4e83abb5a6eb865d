/** What a program prints, as it may be told while it runs: secrets masked although they come in pieces, and what is left out said. Pure but for what it holds back. */
import { plainPieces } from './ansi.ts'
import { placesIn } from './mask-across.ts'
import { masker, type Secrets } from './redact.ts'

/** One stream that is told. */
export interface LiveText {
  /** What may be told once `text` is there too; what could be the beginning of a secret is held back until it is known. */
  text(text: string): string
  /** So many bytes were not read: it goes on in the middle of something. */
  skipped(bytes: number): void
  /** What was held back, once nothing follows. */
  end(): string
}

/** More than this is left out instead of held back: of a line that patterns are looked for in, or of control sequences within what may be a secret. In characters. */
const MAX_HELD = 64 * 1024

const SPANNING_NOTE =
  '[... not shown while it runs: a pattern of redact can match over the end of a line, and what it matches is known at the end only ...]\n'

/**
 * Patterns are looked for in whole lines. Where one could match over the end of a line, nothing is told but that: a secret that is shown can't be taken back.
 * After a gap it goes on with the next line, or, where a secret text has several lines and the gap may have ended inside one, not at all.
 */
export function liveText(secrets: Secrets): LiveText {
  return secrets.patterns.every(staysInLine) ? new MaskedText(secrets) : onlyNote()
}

function onlyNote(): LiveText {
  let told = false
  return {
    text() {
      const note = told ? '' : SPANNING_NOTE
      told = true
      return note
    },
    skipped() {},
    end: () => '',
  }
}

class MaskedText implements LiveText {
  readonly #texts: readonly string[]
  readonly #maskTexts: (text: string) => string
  readonly #maskPatterns: ((text: string) => string) | null
  readonly #canResume: boolean
  /** May be the beginning of a secret text. */
  #held = ''
  /** The line that patterns are still to be looked for in. */
  #line = ''
  #missing = 0
  #insideOfGap = false
  #atLineStart = true

  constructor({ texts, patterns }: Secrets) {
    this.#texts = texts
    this.#maskTexts = masker({ texts, patterns: [] })
    this.#maskPatterns = patterns.length === 0 ? null : masker({ texts: [], patterns })
    this.#canResume = !texts.some((text) => text.includes('\n'))
  }

  text(text: string): string {
    const all = this.#held + (this.#insideOfGap ? this.#afterGap(text) : text)
    const end = tellableEnd(all, this.#texts)
    this.#held = all.slice(end)
    const told = this.#tell(this.#wholeLines(this.#maskTexts(all.slice(0, end))))
    if (this.#held.length > MAX_HELD) this.skipped(0)
    return told
  }

  skipped(bytes: number): void {
    this.#missing += bytes + Buffer.byteLength(this.#held) + Buffer.byteLength(this.#line)
    this.#held = ''
    this.#line = ''
    this.#insideOfGap = true
  }

  end(): string {
    const rest = this.#maskTexts(this.#held)
    const line = this.#maskPatterns === null ? rest : this.#maskPatterns(this.#line + rest)
    this.#held = ''
    this.#line = ''
    return this.#tell(line) + this.#gapNote()
  }

  /** What follows the first line end: what stands before it may be half a secret. */
  #afterGap(text: string): string {
    const at = this.#canResume ? text.indexOf('\n') : -1
    const skipped = at === -1 ? text : text.slice(0, at + 1)
    this.#missing += Buffer.byteLength(skipped)
    this.#insideOfGap = at === -1
    return text.slice(skipped.length)
  }

  #wholeLines(text: string): string {
    if (this.#maskPatterns === null) return text
    const all = this.#line + text
    const end = all.lastIndexOf('\n') + 1
    this.#line = all.slice(end)
    if (this.#line.length > MAX_HELD) this.skipped(0)
    return this.#maskPatterns(all.slice(0, end))
  }

  #tell(text: string): string {
    if (text === '') return ''
    const told = this.#insideOfGap ? text : this.#gapNote() + text
    this.#atLineStart = told.endsWith('\n')
    return told
  }

  #gapNote(): string {
    if (this.#missing === 0) return ''
    const note = `${this.#atLineStart ? '' : '\n'}[... ${this.#missing} bytes left out of the live output ...]\n`
    this.#missing = 0
    this.#atLineStart = true
    return note
  }
}

/** A control sequence that has begun at the end of a text, or the half of a line end. */
// oxlint-disable-next-line no-control-regex -- what is looked for begins with a control character
const BEGUN = /(?:\u001b(?:\[[0-9:;<=>?]{0,256}[ -/]{0,16}|[\]PX^_][^\u0007\u001b\n]{0,4096}\u001b?|[ -/]{0,16})|\r)$/

/** Up to where `text` may be told: nothing behind it can be the beginning of a secret as a terminal shows it, and no secret is cut. */
function tellableEnd(text: string, secrets: readonly string[]): number {
  if (secrets.length === 0) return text.length
  const end = BEGUN.exec(text)?.index ?? text.length
  const pieces = plainPieces(text.slice(0, end))
  const plain = pieces.map((piece) => piece.text).join('')
  const plainEnd = plainTellableEnd(plain, secrets)
  return plainEnd === plain.length ? end : placesIn(pieces)(plainEnd)
}

function plainTellableEnd(text: string, secrets: readonly string[]): number {
  let end = text.length
  for (const secret of secrets) {
    let length = Math.min(secret.length - 1, text.length)
    while (length > 0 && !text.endsWith(secret.slice(0, length))) length--
    end = Math.min(end, text.length - length)
  }
  // A text that repeats itself could be held forever: "xxxxxxxx" is found at every place of a line of x.
  const least = text.length - 4 * (secrets[0]?.length ?? 0)
  for (let moved = true; moved && end > least;) {
    moved = false
    for (const secret of secrets) {
      const at = text.indexOf(secret, Math.max(0, end - secret.length + 1))
      if (at === -1 || at >= end) continue
      end = at
      moved = true
    }
  }
  return end
}

/** Whether the pattern can't match a line end. Of a pattern that is hard to tell, false. */
function staysInLine({ source, flags }: RegExp): boolean {
  if (/[sv]/.test(flags)) return false
  const withoutSafeClasses = source
    .replaceAll('\\\\', '')
    .replace(/(?<!\\)\[\^(?:\\.|[^\]\\])*\]/g, (negated) => (/\\[sn]/.test(negated) ? '' : negated))
  return !/\\[snWDcxupP]|\\\d\d|\\[bt\d]-|\[\^|\(\?[a-z-]*s|\n/.test(withoutSafeClasses)
}
