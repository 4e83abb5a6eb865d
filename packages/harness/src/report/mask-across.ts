/** Finds secrets that control sequences cut in pieces: a terminal shows them whole. Pure. */
import { type PlainPiece, plainPieces } from './ansi.ts'

/** Stands where a secret was. */
export const MASK = '[redacted]'

interface Range {
  readonly start: number
  readonly end: number
}

/** `text` with a mask for each secret that has a control sequence within; what is in one piece is left to who calls this. */
export function maskAcross(
  text: string,
  secrets: { readonly texts: readonly string[]; readonly patterns: readonly RegExp[] },
): string {
  const pieces = plainPieces(text)
  if (pieces.length < 2) return text
  const plain = pieces.map((piece) => piece.text).join('')
  const found = [
    ...secrets.texts.flatMap((secret) => placesOf(secret, plain)),
    ...secrets.patterns.flatMap(matchesIn(plain)),
  ]
  if (found.length === 0) return text
  const placeOf = placesIn(pieces)
  const cut = found
    .map(({ start, end }) => ({ start: placeOf(start), end: placeOf(end - 1) + 1, length: end - start }))
    .filter(({ start, end, length }) => end - start > length)
    .toSorted((a, b) => a.start - b.start)
  let masked = ''
  let at = 0
  for (const { start, end } of cut) {
    if (start >= at) masked += `${text.slice(at, start)}${MASK}`
    at = Math.max(at, end)
  }
  return masked + text.slice(at)
}

function placesOf(secret: string, text: string): Range[] {
  const places: Range[] = []
  for (let start = text.indexOf(secret); start !== -1; start = text.indexOf(secret, start + secret.length))
    places.push({ start, end: start + secret.length })
  return places
}

function matchesIn(text: string): (pattern: RegExp) => Range[] {
  return (pattern) =>
    [...text.matchAll(pattern)]
      .filter(([match]) => match !== '')
      .map((match) => ({ start: match.index, end: match.index + match[0].length }))
}

/** From a place in the joined texts of `pieces` to the one in the text they come from. */
export function placesIn(pieces: readonly PlainPiece[]): (place: number) => number {
  const starts: number[] = []
  let length = 0
  for (const { text } of pieces) {
    starts.push(length)
    length += text.length
  }
  return (place) => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= place) low = middle
      else high = middle - 1
    }
    return (pieces[low]?.at ?? 0) + place - (starts[low] ?? 0)
  }
}
