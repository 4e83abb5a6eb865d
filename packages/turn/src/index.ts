/**
 * Inside a fixture: one task through the one root agent.
 * @example
 * const ctx = await boot('my-agent', config, [], reportBootWarnings)
 * const { output } = await runFixtureTurn(ctx, { task: 'Say hello' })
 */
export { type BootContext, reportBootWarnings } from './boot-warnings.ts'
export type { AgentRegistry, FixtureContext, RootAgent, SessionEvent, SessionRef } from './context.ts'
export type { FixtureTurnResult, TokenUsage, ToolCall, TurnStep } from './envelope.ts'
export {
  type BootWarningLine,
  REPORT_ENV,
  type ReportLine,
  type TurnEndLine,
  type TurnFailedLine,
  type TurnStartLine,
} from './report.ts'
export { PUBLISH_TIMEOUT_MS } from './root-agent.ts'
export { type FixtureTurnOptions, runFixtureTurn } from './turn.ts'
export { TurnError, type TurnFailureKind } from './turn-error.ts'
