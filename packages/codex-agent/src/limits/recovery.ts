/** Whether an account may be used, and when again: only what the provider itself says. Pure. */
import type { Recovery } from '@loader-smoke/agent-sdk'
import type { Answer } from '../wire/messages.ts'
import { fromSeconds } from '../wire/time.ts'
import { lastReset, type Snapshot } from './windows.ts'

/** The recovery that a full read tells. */
export function recoveryOf(
  limits: Answer<'account/rateLimits/read'>,
  account: Answer<'account/read'> | null,
): Recovery {
  const measured = limits.accountId ?? null
  const routed = account?.workspaceRouting?.chatgptAccountId ?? null
  const identity = measured ?? routed
  const scope = scopeOf(limits.rateLimits)
  // The meters of one account say nothing about another.
  if (measured !== null && routed !== null && measured !== routed)
    return { identity, availability: 'unknown', ...scope }
  const { ordinaryUsageAllowed: allowed } = limits
  const availability = allowed === true ? 'allowed' : allowed === false ? 'blocked' : 'unknown'
  return { identity, availability, ...resetOf(limits.rateLimits), ...scope }
}

/** The recovery after a sparse update, which can never grant usage. */
export function recoveryAfterUpdate(before: Recovery | null, snapshot: Snapshot): Recovery {
  return { identity: before?.identity ?? null, availability: 'unknown', ...resetOf(snapshot), ...scopeOf(snapshot) }
}

/** The recovery of a turn that failed for usage. */
export function blockedRecovery(facts: Recovery | null): Recovery {
  return { ...(facts ?? { identity: null }), availability: 'blocked' }
}

function resetOf(snapshot: Snapshot | null | undefined): { readonly resetsAt?: string } {
  const resetsAt = fromSeconds(lastReset(snapshot))
  return resetsAt === undefined ? {} : { resetsAt }
}

function scopeOf(snapshot: Snapshot | null | undefined): { readonly scope?: string } {
  const limitId = snapshot?.limitId
  return limitId && limitId !== 'codex' ? { scope: limitId } : {}
}
