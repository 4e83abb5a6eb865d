/** The Codex CLI's app-server as an agent of the agent-sdk, one per account. */
export { type Account, defaultAccount } from './account.ts'
export { Accounts, type AccountsOptions } from './accounts.ts'
export { CodexAgent, type CodexAgentOptions } from './agent.ts'
export { CodexError, type CodexFacts, type CodexStage } from './connection/errors.ts'
export { createAgent, type CodexSettings } from './create-agent.ts'
export { testedVersions, versionOf, versionWarning } from './connection/version.ts'
