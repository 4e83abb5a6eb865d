/** The deadline that a test runner should give a test which runs one smoke. */

/** 45 s: the default deadline of a smoke, its grace and its clean-up fit in, so that the smoke's own message is seen. */
export const LOADER_SMOKE_TEST_TIMEOUT_MS = 45_000
