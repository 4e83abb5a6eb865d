/** The agent's methods by their names in the agent protocol. */
import type { AgentDefinition } from '@loader-smoke/agent-sdk'
import type { CodexAgent } from './agent.ts'

/** `agent` as its host knows it. */
export function toDefinition(agent: CodexAgent): AgentDefinition {
  return {
    id: agent.account.id,
    name: agent.account.name,
    initialize: () => agent.initialize(),
    list_options: (params) => agent.listOptions(params),
    // Codex' own slash commands are commands of its terminal; the app-server has none.
    list_commands: async () => ({ commands: [] }),
    list_sessions: (params) => agent.listSessions(params),
    read_session: (params) => agent.readSession(params),
    list_skills: (params) => agent.listSkills(params),
    create_session: (params) => agent.createSession(params),
    resume_session: (params) => agent.resumeSession(params),
    close_session: (params) => agent.closeSession(params),
    fork_session: (params) => agent.forkSession(params),
    prompt: (params) => agent.prompt(params),
    cancel: (params) => agent.cancel(params),
    cancel_task: (params) => agent.cancelTask(params),
    set_option: (params) => agent.setOption(params),
    respond_to_approval: (params) => agent.respondToApproval(params),
    respond_to_question: (params) => agent.respondToQuestion(params),
    rollback: (params) => agent.rollback(params),
    compact: (params) => agent.compact(params),
    usage_limits: () => agent.limits(),
    update: () => agent.update(),
    authenticate: (params) => agent.authenticate(params),
    logout: () => agent.logout(),
    dispose: () => agent.dispose(),
  }
}
