/** Finds what someone probably meant by a misspelled name. Pure. */

/** The one of `names` that is fewest edits away from `given`, or undefined when more than a third of its letters would have to change. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const word = given.slice(0, 64).toLowerCase()
  const [best] = names
    .map((name) => ({ name, edits: editsBetween(word, name.toLowerCase()) }))
    .toSorted((a, b) => a.edits - b.edits)
  return best !== undefined && best.edits <= Math.ceil(best.name.length / 3) ? best.name : undefined
}

/** ` Did you mean <name>?` with its leading space, or nothing. */
export function suggestion(given: string, names: readonly string[]): string {
  const name = nearest(given, names)
  return name === undefined ? '' : ` Did you mean ${name}?`
}

/** Insertions, removals, replacements and swaps of neighbours: optimal string alignment. */
function editsBetween(a: string, b: string): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const edits = [(previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, replaced]
      current.push(Math.min(...edits, swapped ? (before[column - 2] ?? 0) + 1 : Infinity))
    }
    before = previous
    previous = current
  }
  return previous[b.length] ?? 0
}
