/** The version of the Codex CLI, and which versions this package was tested with. */

/** Lowest and highest CLI version that the tests ran with. */
export const testedVersions = { lowest: '0.171.0', highest: '0.171.0' } as const

/** The `x.y.z` behind the first slash of a user agent such as `convergence/0.155.1 (Mac OS 26.5.0; arm64)`; `null` when there is none. */
export function versionOf(userAgent: string | null | undefined): string | null {
  return /^[^/]*\/(\d+\.\d+\.\d+)/.exec(userAgent ?? '')?.[1] ?? null
}

/** Says that `version` lies outside the tested range, with both versions; `null` when it lies inside. */
export function versionWarning(version: string | null): string | null {
  const { lowest, highest } = testedVersions
  const tested = lowest === highest ? lowest : `${lowest} to ${highest}`
  if (version === null) return `the Codex CLI did not tell its version; this agent was tested with ${tested}`
  if (compare(version, lowest) >= 0 && compare(version, highest) <= 0) return null
  return `the Codex CLI is version ${version}; this agent was tested with ${tested}, so something may work differently`
}

function compare(left: string, right: string): number {
  const [a, b] = [left.split('.').map(Number), right.split('.').map(Number)]
  return a.map((part, index) => part - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0
}
