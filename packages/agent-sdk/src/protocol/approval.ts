/** A request for permission that the agent holds until the user answers. */
import type { ToolKind, ToolParts } from './tool-call.ts'

/** What an option does, so that a policy can choose without reading its name. */
export type ApprovalOptionKind = 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always'

/** One answer that the user may give. */
export interface ApprovalOption {
  readonly id: string
  readonly name: string
  readonly kind: ApprovalOptionKind
}

/** What is asked. */
export interface Approval {
  readonly id: string
  readonly title: string
  /** Why the agent asks, in its words. */
  readonly description?: string
  /** The call that waits; absent when nothing of it is known. */
  readonly toolCall?: ToolParts & { readonly id: string; readonly kind: ToolKind; readonly status: 'pending' }
  readonly options: readonly ApprovalOption[]
}

/** The user's answer. An unknown option is a refusal. */
export interface ApprovalAnswer {
  readonly approvalId: string
  readonly optionId: string
}
