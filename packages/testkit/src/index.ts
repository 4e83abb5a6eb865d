/** Helpers for the tests of this repository. */
export { assertNothingLeft, type LiveProcess, processesWith } from './nothing-left.ts'
export { type TempWorkspace, tempWorkspace } from './temp-workspace.ts'
export { waitFor } from './wait-for.ts'
