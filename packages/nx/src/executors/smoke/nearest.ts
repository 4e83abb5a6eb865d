/** Finds what someone probably meant by a misspelled name. Pure. */

/** The one of `names` that is fewest edits away from `given`, unless more than a third of its letters would have to change. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, edits: editsBetween(given.toLowerCase(), name.toLowerCase()) }))
    .toSorted((a, b) => a.edits - b.edits)
  const best = ranked[0]
  return best !== undefined && best.edits <= Math.ceil(best.name.length / 3) ? best.name : undefined
}

/** Levenshtein distance. */
function editsBetween(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
