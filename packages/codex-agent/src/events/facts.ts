/** Small notifications, each as one event. */
import type { EventBody, PlanEntry } from '@loader-smoke/agent-sdk'
import { joined, type NotificationParams } from '../wire/messages.ts'
import { failureText } from './failure-text.ts'

const planStatuses: Readonly<Record<string, PlanEntry['status']>> = {
  pending: 'pending',
  inProgress: 'in_progress',
  completed: 'completed',
}

/** The model's plan, whole. */
export function fromPlan({ plan }: NotificationParams<'turn/plan/updated'>): EventBody {
  const entries = (plan ?? []).map((entry) => ({
    content: entry?.step ?? '',
    status: planStatuses[entry?.status ?? ''] ?? 'pending',
  }))
  return { event: 'plan', entries }
}

/** How full a chat's context is. */
export function fromTokenUsage({ tokenUsage }: NotificationParams<'thread/tokenUsage/updated'>): EventBody {
  const contextWindow = tokenUsage?.modelContextWindow
  return {
    event: 'usage',
    usedTokens: Number(tokenUsage?.last?.totalTokens ?? 0),
    ...(contextWindow === null || contextWindow === undefined ? {} : { contextWindow: Number(contextWindow) }),
  }
}

/** A problem with the user's configuration. Version 0.171.0 sends `summary` and `details`, earlier ones `message`. */
export function fromConfigWarning(
  params: NotificationParams<'configWarning'> & { readonly message?: unknown },
): EventBody | null {
  const text = typeof params.message === 'string' ? params.message : joined([params.summary, params.details], ': ')
  return text === '' ? null : { event: 'notice', level: 'warning', message: text }
}

/** The server went on with another model than the one asked for. */
export function fromReroute({ fromModel, toModel }: NotificationParams<'model/rerouted'>): EventBody {
  return { event: 'notice', level: 'warning', message: `Codex switched from ${fromModel} to ${toModel}.` }
}

/** An error during a turn. The count of a reconnection, whose cause stands beside it, is no more than a warning. */
export function fromError({ error, willRetry }: NotificationParams<'error'>): EventBody {
  // The same words as those of the turn's end, which follows a last error.
  const message = failureText(error)
  if (willRetry !== true || !/^Reconnecting\.\.\. \d+\/\d+/.test(message))
    return { event: 'notice', level: 'error', message }
  const details = error?.additionalDetails
  return { event: 'notice', level: 'warning', message: details ? `${message} (${details})` : message }
}
