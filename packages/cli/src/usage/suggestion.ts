/** Suggestions for misspelled words; the harness' own, loaded without the rest of it. */
export { suggestion } from '@loader-smoke/harness/config'
