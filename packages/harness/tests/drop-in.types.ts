/** Compiled, never run: each statement is one that callers of the peer may have written. */
import type * as peer from '@deepseek-ai/dsh-loader-smoke'
import type * as ours from '@loader-smoke/harness'

type Assignable<From extends To, To> = [From, To]

/** What callers pass must be accepted, what they get must be what they expect. */
export type Checks = [
  Assignable<typeof ours.runLoaderSmoke, typeof peer.runLoaderSmoke>,
  Assignable<typeof ours.resolveExampleLaunch, typeof peer.resolveExampleLaunch>,
  Assignable<typeof ours.resolveExampleMode, typeof peer.resolveExampleMode>,
  Assignable<typeof ours.EXAMPLE_MODE_ENV, typeof peer.EXAMPLE_MODE_ENV>,
  Assignable<typeof ours.LOADER_SMOKE_TEST_TIMEOUT_MS, typeof peer.LOADER_SMOKE_TEST_TIMEOUT_MS>,
  Assignable<peer.LoaderSmokeOptions, ours.LoaderSmokeOptions>,
  Assignable<ours.LoaderSmokeResult, peer.LoaderSmokeResult>,
  Assignable<peer.ExampleLaunchOptions, ours.ExampleLaunchOptions>,
  Assignable<ours.ExampleLaunch, peer.ExampleLaunch>,
  Assignable<ours.ExampleMode, peer.ExampleMode>,
  Assignable<peer.ExampleMode, ours.ExampleMode>,
  Assignable<Pick<peer.FixtureTurnOptions, 'task'>, ours.FixtureTurnOptions>,
]

/** The peer's whole option type, as a caller's helper may take it, goes through as it is. */
export const wrap =
  (run: typeof ours.runLoaderSmoke) =>
  (options: peer.LoaderSmokeOptions): Promise<peer.LoaderSmokeResult> =>
    run({ ...options, env: { ...process.env, ...options.env } })

/** A context of the peer's turn is one of ours. */
export const turn = (run: typeof ours.runFixtureTurn, ctx: Parameters<typeof peer.runFixtureTurn>[0]) =>
  run(ctx, { task: 'hello', onEvent: (sessionId, event) => console.log(sessionId, event.type) }).then(
    ({ type, sessionId, output, usage }) => [type, sessionId, output, usage?.inputTokens] as const,
  )
