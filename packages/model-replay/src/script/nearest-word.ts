/** Finds what someone probably meant by a misspelled word. */

/** The word of `words` closest to `given`, or undefined when none is close (more than a third of its letters differ). */
export function nearestWord(given: string, words: readonly string[]): string | undefined {
  let best: string | undefined
  let bestDistance = Infinity
  for (const word of words) {
    const away = distance(given.toLowerCase().slice(0, 64), word.toLowerCase())
    if (away < bestDistance) [best, bestDistance] = [word, away]
  }
  return best !== undefined && bestDistance <= Math.max(1, Math.ceil(best.length / 3)) ? best : undefined
}

/** Edits (insert, delete, replace, swap of neighbours) between two words: optimal string alignment. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replace = at(rows, i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let least = Math.min(at(rows, i - 1, j) + 1, (row[j - 1] ?? 0) + 1, replace)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, at(rows, i - 2, j - 2) + 1)
      row.push(least)
    }
    rows.push(row)
  }
  return at(rows, a.length, b.length)
}

function at(rows: readonly (readonly number[])[], i: number, j: number): number {
  return rows[i]?.[j] ?? 0
}
