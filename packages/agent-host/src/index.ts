/**
 * Puts an agent-sdk agent into a Cordis app as its root agent. The module itself is the plugin; `nodeHost` is the host it runs on.
 * @example
 * await ctx.plugin(agentHost, { agent: createAgent({ home: '/srv/codex' }), approvals: 'allow' })
 */
export type { ApprovalPolicy } from './agent/approval-policy.ts'
export type { AgentModule } from './agent/load-factory.ts'
export { RunFailure, type RunFailureCode } from './agent/run-failure.ts'
export type { Config } from './config.ts'
export { type HostToolImplementation, nodeHost, type NodeHostOptions } from './node-host.ts'
export { apply, inject, name } from './plugin.ts'
