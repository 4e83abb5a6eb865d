/** What a `smoke.config.ts` imports; the program itself is the bin `loader-smoke`. */
export { defineSmokeConfig, type SmokeConfig, type SmokeFixture } from '@loader-smoke/harness/config'
