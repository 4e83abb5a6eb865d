/** Who answers when the agent asks for permission: the config, or a person. */
import type { Approval, ApprovalOption } from '@loader-smoke/agent-sdk'

/** `deny` refuses and fails the turn · `allow` grants once · `ask` asks through the app's `approval` service. */
export type ApprovalPolicy = 'deny' | 'allow' | 'ask'

/** Every policy, for messages and checks. */
export const approvalPolicies: readonly ApprovalPolicy[] = ['deny', 'allow', 'ask']

/** The option that grants this one request; `undefined` when the agent offers none. */
export function granting({ options }: Approval): ApprovalOption | undefined {
  return options.find(({ kind }) => kind === 'allow_once') ?? options.find(({ kind }) => kind === 'allow_always')
}

/** The option that refuses this one request; `undefined` when the agent offers none. */
export function refusing({ options }: Approval): ApprovalOption | undefined {
  return options.find(({ kind }) => kind === 'reject_once') ?? options.find(({ kind }) => kind === 'reject_always')
}

/** Why a turn failed whose request was refused by `policy`. Holds the request's title, none of the model's words. */
export function refusal(approval: Approval, policy: ApprovalPolicy): string {
  const call = approval.toolCall === undefined ? '' : ` for ${approval.toolCall.kind} call ${approval.toolCall.id}`
  const who = policy === 'ask' ? 'nobody granted it' : `approvals is '${policy}'`
  return (
    `the agent asked for permission (${approval.title}${call}) and was refused, because ${who}. Next: set \`approvals: allow\` of ` +
    "agent-host in the config, or give the agent a permission mode in which it doesn't have to ask; the call itself is in the session's log."
  )
}
