/** Permission modes: what each means on the wire, and which one a configuration amounts to. Pure. */
import type { OptionChoice } from '@loader-smoke/agent-sdk'
import type { Requests } from '../wire/generated/methods.ts'

type TurnParams = Requests['turn/start']['params']
type ThreadParams = Requests['thread/start']['params']

/** A permission mode. */
export type PermissionMode = 'read_only' | 'ask' | 'auto_edits' | 'auto' | 'full'

interface ModeRow {
  readonly label: string
  readonly description: string
  readonly approvalPolicy: 'untrusted' | 'on-request' | 'never'
  readonly sandbox: NonNullable<ThreadParams['sandbox']>
  readonly reviewer: NonNullable<ThreadParams['approvalsReviewer']>
}

const modes: Readonly<Record<PermissionMode, ModeRow>> = {
  read_only: {
    label: 'Read only',
    description: 'Reads files and runs harmless commands; asks before anything else.',
    approvalPolicy: 'on-request',
    sandbox: 'read-only',
    reviewer: 'user',
  },
  ask: {
    label: 'Ask',
    description: 'Asks before every command that is not known to be harmless.',
    approvalPolicy: 'untrusted',
    sandbox: 'workspace-write',
    reviewer: 'user',
  },
  auto_edits: {
    label: 'Edit automatically',
    description: 'Edits and runs commands in the workspace; asks before leaving it.',
    approvalPolicy: 'on-request',
    sandbox: 'workspace-write',
    reviewer: 'user',
  },
  auto: {
    label: 'Automatic',
    description: 'As “Edit automatically”, but Codex reviews its own requests to leave the workspace.',
    approvalPolicy: 'on-request',
    sandbox: 'workspace-write',
    reviewer: 'auto_review',
  },
  full: {
    label: 'Full access',
    description: 'No sandbox and no questions.',
    approvalPolicy: 'never',
    sandbox: 'danger-full-access',
    reviewer: 'user',
  },
}

/** The value shown when the configuration matches no mode. */
export const customMode = 'custom'

/** The modes as choices. */
export const modeChoices: readonly OptionChoice[] = Object.entries(modes).map(([value, { label, description }]) => ({
  value,
  label,
  description,
}))

/** Whether `value` names a mode. */
export function isMode(value: string | undefined): value is PermissionMode {
  return value !== undefined && Object.hasOwn(modes, value)
}

/** A mode's settings where a thread is opened: there the sandbox is a name. An object would be ignored in silence. */
export function threadMode(
  value: string | undefined,
): Pick<ThreadParams, 'approvalPolicy' | 'approvalsReviewer' | 'sandbox'> {
  if (!isMode(value)) return {}
  const { approvalPolicy, sandbox, reviewer } = modes[value]
  return { approvalPolicy, sandbox, approvalsReviewer: reviewer }
}

/** A mode's settings where a turn starts: there the sandbox is an object. */
export function turnMode(
  value: string | undefined,
): Pick<TurnParams, 'approvalPolicy' | 'approvalsReviewer' | 'sandboxPolicy'> {
  if (!isMode(value)) return {}
  const { approvalPolicy, sandbox, reviewer } = modes[value]
  return { approvalPolicy, sandboxPolicy: policies[sandbox], approvalsReviewer: reviewer }
}

/** The mode that a configuration amounts to. Nothing set anywhere is `on-request` and `read-only`, as the server itself takes it. */
export function modeOf(config: {
  readonly approval_policy?: unknown
  readonly sandbox_mode?: unknown
  readonly approvals_reviewer?: unknown
}): PermissionMode | typeof customMode {
  const approvalPolicy = config.approval_policy ?? 'on-request'
  const sandbox = config.sandbox_mode ?? 'read-only'
  const reviewer = config.approvals_reviewer ?? 'user'
  const found = Object.entries(modes).find(
    ([, row]) =>
      row.approvalPolicy === approvalPolicy &&
      row.sandbox === sandbox &&
      (row.reviewer === reviewer || row.approvalPolicy === 'never'),
  )
  return found !== undefined && isMode(found[0]) ? found[0] : customMode
}

const noNetwork = { networkAccess: false }
const policies: Readonly<Record<ModeRow['sandbox'], NonNullable<TurnParams['sandboxPolicy']>>> = {
  'read-only': { type: 'readOnly', ...noNetwork },
  'workspace-write': {
    type: 'workspaceWrite',
    writableRoots: [],
    ...noNetwork,
    excludeTmpdirEnvVar: false,
    excludeSlashTmp: false,
  },
  'danger-full-access': { type: 'dangerFullAccess' },
}
