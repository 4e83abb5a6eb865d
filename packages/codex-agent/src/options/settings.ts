/** A session's options as the wire wants them, where a thread is opened and where a turn starts. Pure. */
import type { OptionValues } from '@loader-smoke/agent-sdk'
import type { Requests } from '../wire/generated/methods.ts'
import { threadMode, turnMode } from './modes.ts'

type TurnSettings = Pick<
  Requests['turn/start']['params'],
  'model' | 'effort' | 'approvalPolicy' | 'approvalsReviewer' | 'sandboxPolicy'
>
type ThreadSettings = Pick<
  Requests['thread/start']['params'],
  'model' | 'config' | 'approvalPolicy' | 'approvalsReviewer' | 'sandbox'
>

/** What a turn starts with; what is not chosen is left to the configuration. Settings stay for later turns. */
export function turnSettings({ model, reasoning, permission_mode: mode }: OptionValues): TurnSettings {
  return { ...(model ? { model } : {}), ...(reasoning ? { effort: reasoning } : {}), ...turnMode(mode) }
}

/** What a thread is opened with. It takes no `effort`; the same setting of the configuration is its way in. */
export function threadSettings({ model, reasoning, permission_mode: mode }: OptionValues): ThreadSettings {
  return {
    ...(model ? { model } : {}),
    ...(reasoning ? { config: { model_reasoning_effort: reasoning } } : {}),
    ...threadMode(mode),
  }
}
