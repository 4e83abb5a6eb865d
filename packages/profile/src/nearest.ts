/** Suggestions for names that don't exist. Pure. */
import { nearest } from '@loader-smoke/harness/config'

/** ` Nearest: "a", "b".` with its leading space, at most three of `names`, or nothing when none is close. */
export function didYouMean(given: string, names: readonly string[]): string {
  const found: string[] = []
  while (found.length < 3) {
    const next = nearest(
      given,
      names.filter((name) => !found.includes(name)),
    )
    if (next === undefined) break
    found.push(next)
  }
  return found.length === 0 ? '' : ` Nearest: ${found.map((name) => JSON.stringify(name)).join(', ')}.`
}

/** At most twenty names, then how many more there are. */
export function listed(names: readonly string[]): string {
  return names.length <= 20 ? names.join(', ') : `${names.slice(0, 20).join(', ')} and ${names.length - 20} more`
}
