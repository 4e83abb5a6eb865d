/** `@loader-smoke/harness/vitest`: smokes as tests, and matchers for what they give. Importing it adds the matchers to `expect`. */
import { expect } from 'vitest'
import type { TextMatch } from '../config/expectations.ts'
import { toHaveAnswered, toHaveExited, toHaveUsed, type UsedExpectation } from './matchers.ts'

export { defineSmokeConfig, type SmokeConfig, type SmokeFixture } from '../config/smoke-config.ts'
export type { UsedExpectation } from './matchers.ts'
export { type AfterSmoke, smokeTest, smokeTestFile } from './smoke-test.ts'

expect.extend({ toHaveAnswered, toHaveExited, toHaveUsed })

declare module 'vitest' {
  // oxlint-disable-next-line no-unused-vars -- an interface is only added to under the same parameters
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** The root agent's last answer contains the text, or matches the pattern. */
    toHaveAnswered(expected: TextMatch): R
    /** The bin ended with the exit code, or by the signal. */
    toHaveExited(expected: number | NodeJS.Signals): R
    /** The agent called the tools, or used no more tokens than allowed. */
    toHaveUsed(expected: string | readonly string[] | UsedExpectation): R
  }
}
