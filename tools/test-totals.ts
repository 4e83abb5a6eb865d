/** Counts what a test run's JSON report says, skipped tests included. Pure. */

/** How many checks ran, and how. */
export interface Totals {
  readonly passed: number
  readonly failed: number
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

/** What to do with skipped tests: `skipsFail` counts each as failed unless `allowed` has its full name with a reason; `say` prints each of them. */
export interface SkipRules {
  readonly skipsFail: boolean
  readonly allowed: Readonly<Record<string, string>>
  readonly say: (line: string) => void
}

/**
 * Totals of a vitest JSON report (the text of the file).
 * A file that failed without a failed test in it (it did not load, or a hook threw) counts as one failed check.
 */
export function totalsOfReport(json: string, { skipsFail, allowed, say }: SkipRules): Totals {
  let passed = 0
  let failed = 0
  for (const file of (JSON.parse(json) as Report).testResults) {
    let failedHere = 0
    for (const test of file.assertionResults) {
      if (test.status === 'passed') passed += 1
      else if (test.status === 'failed') failedHere += 1
      else {
        const reason = allowed[test.fullName]
        const counts = skipsFail && reason === undefined
        if (counts) failedHere += 1
        say(
          `skipped${counts ? ' (counted as failed: CI runs everything that can run here)' : ''}: ${test.fullName}${reason === undefined ? '' : `: ${reason}`}`,
        )
      }
    }
    if (file.status === 'failed' && failedHere === 0) {
      failedHere = 1
      say(`failed outside its tests: ${file.name}`)
    }
    failed += failedHere
  }
  return { passed, failed }
}
