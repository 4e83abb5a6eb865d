/** Compiled, never run: the generated option type says exactly what the table means. */
import type { LoaderSmokeOptions, OptionsOfTable } from '../src/config/options.ts'

type Same<A, B> =
  (<T>() => T extends { [K in keyof A]: A[K] } ? 1 : 2) extends <T>() => T extends { [K in keyof B]: B[K] } ? 1 : 2
    ? true
    : false

export const same: Same<LoaderSmokeOptions, OptionsOfTable> = true
