/** Approvals of commands and patches: a title, the call that waits, four answers. Pure. */
import type { Approval, ApprovalOption } from '@loader-smoke/agent-sdk'
import type { OpenTool } from '../events/items.ts'
import { commandTitle } from '../events/tools/command.ts'
import type { ServerRequests } from '../wire/generated/methods.ts'
import type { ServerRequestParams } from '../wire/messages.ts'

type Decision = ServerRequests['item/fileChange/requestApproval']['result']['decision']

const options = [
  { id: 'accept', name: 'Allow once', kind: 'allow_once' },
  { id: 'acceptForSession', name: 'Allow for this session', kind: 'allow_always' },
  { id: 'decline', name: 'Decline', kind: 'reject_once' },
  { id: 'cancel', name: 'Decline and stop', kind: 'reject_always' },
] as const satisfies readonly (ApprovalOption & { readonly id: Decision })[]

/** An approval without its id. */
export type ApprovalRequest = Omit<Approval, 'id'>

/** What a stopped run answers. */
export const cancelDecision = { decision: 'cancel' } satisfies { readonly decision: Decision }

/** The wire's answer for an option; an unknown option declines. */
export function toDecision(optionId: string): { readonly decision: Decision } {
  return { decision: options.find(({ id }) => id === optionId)?.id ?? 'decline' }
}

/** Asks whether a command may run. */
export function fromCommandApproval(
  params: ServerRequestParams<'item/commandExecution/requestApproval'>,
): ApprovalRequest {
  const { itemId, command, cwd, commandActions, reason } = params
  return {
    title: 'Run a command',
    ...(reason ? { description: reason } : {}),
    toolCall: {
      id: itemId ?? '',
      kind: 'execute',
      status: 'pending',
      title: commandTitle(command, commandActions),
      name: 'shell',
      input: { command: command ?? '', cwd: cwd ?? '' },
    },
    options,
  }
}

/** Asks whether a patch may be applied. The request names the item only: `open` is what that item started with. */
export function fromFileApproval(
  params: ServerRequestParams<'item/fileChange/requestApproval'>,
  open: OpenTool | undefined,
): ApprovalRequest {
  const { itemId, grantRoot, reason } = params
  return {
    title: grantRoot ? `Allow writes under ${grantRoot}` : 'Apply file changes',
    ...(reason ? { description: reason } : {}),
    toolCall: {
      id: itemId ?? '',
      kind: 'edit',
      status: 'pending',
      name: 'apply_patch',
      ...(open === undefined ? {} : { title: open.title, content: open.content }),
    },
    options,
  }
}
