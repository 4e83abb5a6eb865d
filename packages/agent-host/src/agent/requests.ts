/** Answers what the agent asks a person for: permission by the policy of the config, questions not at all. */
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { AgentDefinition, Approval } from '@loader-smoke/agent-sdk'
import { type ApprovalPolicy, granting, refusal, refusing } from './approval-policy.ts'
import { RunFailure } from './run-failure.ts'

/** Who answers. */
export interface Answerer {
  readonly agent: AgentDefinition
  readonly approvals: ApprovalPolicy
  /** Asks a person; only for the policy `ask`. `signal` withdraws the question. */
  askPerson(agent: Agent, approval: Approval, signal: AbortSignal): Promise<boolean>
}

/** Answers `approval`. @throws RunFailure `APPROVAL_DENIED` when it was refused: the agent has been told so. */
export async function answerApproval(
  by: Answerer,
  asking: Agent,
  approval: Approval,
  signal: AbortSignal,
): Promise<void> {
  const granted = by.approvals === 'ask' ? await by.askPerson(asking, approval, signal) : by.approvals === 'allow'
  const option = granted ? granting(approval) : refusing(approval)
  // An id that the agent does not know is a refusal.
  await by.agent.respond_to_approval({ approvalId: approval.id, optionId: option?.id ?? 'refused' })
  if (!granted) throw new RunFailure('APPROVAL_DENIED', refusal(approval, by.approvals))
}

/** Tells the agent that its question is not answered. @throws RunFailure `QUESTION_UNANSWERED`, always. */
export async function dismissQuestion({ agent }: Answerer, questionId: string): Promise<never> {
  await agent.respond_to_question({ questionId, answer: { values: {}, cancelled: true } })
  throw new RunFailure(
    'QUESTION_UNANSWERED',
    'the agent asked the user a question, and in this app nobody answers. Next: give it a task that it can do without.',
  )
}
