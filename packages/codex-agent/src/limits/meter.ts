/** What is known of an account's usage: read when asked, kept up to date by notifications, forgotten when the account changes. */
import { RefusedError, type Recovery, type UsageLimits } from '@loader-smoke/agent-sdk'
import type { Client } from '../connection/app-server.ts'
import { recoveryAfterUpdate, recoveryOf } from './recovery.ts'
import { overlay, type Snapshot, windowsOf } from './windows.ts'

/** The usage of one account. */
export class Meter {
  /** What the last read or update told of recovery; `null` before the first, and after a change of account. */
  facts: Recovery | null = null
  #snapshot: Snapshot | null = null
  /** Grows with every change of account: a read that began before it tells about the wrong account. */
  #account = 0

  /** Reads the meters; `null` when the server has none to tell, or the account changed meanwhile. */
  async read(client: Client): Promise<UsageLimits | null> {
    const account = this.#account
    const [limits, owner] = await Promise.all([
      orNull(client.request('account/rateLimits/read', {})),
      orNull(client.request('account/read', {})),
    ])
    if (account !== this.#account || limits === null) return null
    this.#snapshot = limits.rateLimits ?? null
    this.facts = recoveryOf(limits, owner)
    return { windows: windowsOf(limits.rateLimits), recovery: this.facts }
  }

  /** Takes a sparse update; `null` when it tells nothing. */
  update(snapshot: Snapshot | null | undefined): UsageLimits | null {
    // One comes after every response, nearly always without any meter.
    if (!snapshot?.primary && !snapshot?.secondary) return null
    this.#snapshot = overlay(this.#snapshot, snapshot)
    this.facts = recoveryAfterUpdate(this.facts, this.#snapshot)
    return { windows: windowsOf(this.#snapshot), recovery: this.facts }
  }

  /** The account changed: nothing is known any more. */
  forget(): void {
    this.#account += 1
    this.#snapshot = null
    this.facts = null
  }
}

/** A refusal is an answer: this account has no such facts. Everything else goes to the caller. */
function orNull<T>(asking: Promise<T>): Promise<T | null> {
  return asking.catch((error: unknown) => {
    if (error instanceof RefusedError) return null
    throw error
  })
}
