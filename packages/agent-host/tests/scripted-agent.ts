/** An agent-sdk agent whose answers are functions of the test; it runs no program. */
import type {
  AgentDefinition,
  AgentFactory,
  AgentInfo,
  ApprovalAnswer,
  Event,
  EventBody,
  HostApi,
  PromptInput,
} from '@loader-smoke/agent-sdk'

/** What the scripted agent does with a prompt: it emits, and ends the run when it likes. */
export type RunScript = (run: ScriptedRun) => void | Promise<void>

/** One run of the scripted agent. */
export interface ScriptedRun {
  readonly runId: string
  readonly input: PromptInput
  emit(body: EventBody, place?: { readonly taskId?: string; readonly runId?: string }): void
  /** Resolves with the answer to the approval `id`. */
  answerTo(id: string): Promise<string>
  /** Resolves when the host cancels. */
  readonly cancelled: Promise<void>
}

/** The scripted agent and what it has seen. */
export interface ScriptedAgent {
  readonly factory: AgentFactory
  readonly prompts: PromptInput[]
  readonly cancels: string[]
  readonly created: unknown[]
  /** Option id → value. */
  readonly set: [string, string][]
  disposed: boolean
  /** The host that the agent was made for. */
  host: HostApi | null
  /** Emits outside a run. */
  emit(event: Event): void
}

/** The id of its only session. */
export const SESSION = 'native-1'

const info: AgentInfo = {
  id: 'scripted',
  version: '1.0.0',
  status: { state: 'ready' },
  capabilities: {
    subagents: false,
    slashCommands: false,
    steering: true,
    fork: false,
    rollback: false,
    compact: false,
  },
  family: 'scripted',
  continuationKey: 'scripted',
  icon: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  warnings: [],
}

/** An agent that plays `scripts`, one for each run; `patch` replaces methods. */
export function scriptedAgent(
  scripts: readonly RunScript[],
  patch: Partial<AgentDefinition> & { readonly info?: Partial<AgentInfo> } = {},
): ScriptedAgent {
  let next = 0
  let sink: (event: Event) => void = ignore
  const answers = new Map<string, PromiseWithResolvers<string>>()
  const answer = (id: string) => {
    const found = answers.get(id) ?? Promise.withResolvers<string>()
    answers.set(id, found)
    return found
  }
  let active: { readonly runId: string; cancel(): void } | null = null
  const seen: ScriptedAgent = {
    prompts: [],
    cancels: [],
    created: [],
    set: [],
    disposed: false,
    host: null,
    emit: (event) => sink(event),
    factory: (host, emit) => {
      seen.host = host
      sink = emit
      return { ...definition, ...patch }
    },
  }
  const definition: AgentDefinition = {
    id: 'scripted',
    name: 'Scripted',
    initialize: async () => ({ ...info, ...patch.info }),
    create_session: async (params) => {
      seen.created.push(params)
      return { sessionId: SESSION }
    },
    async prompt({ input }) {
      seen.prompts.push(input)
      if (active !== null) return { runId: active.runId }
      const runId = `run-${++next}`
      const cancelled = Promise.withResolvers<void>()
      active = { runId, cancel: cancelled.resolve }
      const run: ScriptedRun = {
        runId,
        input,
        cancelled: cancelled.promise,
        answerTo: (id) => answer(id).promise,
        emit(body, place) {
          if (body.event === 'run_finished') active = null
          sink({ sessionId: SESSION, runId, ...place, ...body })
        },
      }
      void Promise.resolve(scripts[next - 1]?.(run))
      return { runId }
    },
    async cancel({ sessionId }) {
      seen.cancels.push(sessionId)
      active?.cancel()
    },
    respond_to_approval: async ({ approvalId, optionId }: ApprovalAnswer) => answer(approvalId).resolve(optionId),
    respond_to_question: async ({ questionId, answer: given }) =>
      answer(questionId).resolve(given.cancelled ? 'cancelled' : JSON.stringify(given.values)),
    dispose: async () => {
      seen.disposed = true
    },
    list_options: async () => ({ options: ['model', 'permission_mode'].map((id) => ({ id, label: id, value: null })) }),
    async set_option({ optionId, value }) {
      seen.set.push([optionId, value])
      return { options: [] }
    },
    list_commands: unused,
    list_sessions: unused,
    read_session: unused,
    list_skills: unused,
    resume_session: unused,
    close_session: unused,
    fork_session: unused,
    cancel_task: unused,
    rollback: unused,
    compact: unused,
    usage_limits: unused,
    update: unused,
    authenticate: unused,
    logout: unused,
  }
  return seen
}

function ignore(): void {}

async function unused(): Promise<never> {
  throw new Error('the scripted agent does not do this')
}

/** The end of a run that went well. */
export const completed: EventBody = { event: 'run_finished', outcome: { status: 'completed' } }

/** A piece of text of the item `itemId`. */
export function text(itemId: string, piece: string, mode: 'append' | 'replace' = 'append'): EventBody {
  return { event: 'text_delta', itemId, text: piece, mode }
}
