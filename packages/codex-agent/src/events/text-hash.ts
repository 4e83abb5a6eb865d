/** A running hash of streamed text (FNV-1a over UTF-16 code units): tells whether two texts are equal without keeping either. */

/** The hash of no text. */
export const emptyHash = 0x811c9dc5

/** The hash of the text behind `hash` followed by `text`. */
export function addToHash(hash: number, text: string): number {
  let result = hash
  for (let index = 0; index < text.length; index++) result = Math.imul(result ^ text.charCodeAt(index), 0x01000193)
  return result >>> 0
}
