/** Usage: what is read, what is updated, what may be concluded from it. */
import { expect, test } from 'vitest'
import { scripted, settle } from './support/scripted.ts'
import { eventsOf } from './support/shown.ts'
import { windowLabel } from '../src/limits/windows.ts'

const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
const window = (usedPercent: number, windowDurationMins: number, resetsAt: number | null = null) => ({
  usedPercent,
  windowDurationMins,
  resetsAt,
})

/** An agent whose account reads as given. */
function account(limits: Record<string, unknown> | null, owner: Record<string, unknown> | null = {}) {
  return scripted({
    answers: {
      ...(limits === null ? {} : { 'account/rateLimits/read': () => limits }),
      ...(owner === null ? {} : { 'account/read': () => owner }),
    },
  })
}

test.for([
  [300, '5 hours'],
  [60, '1 hour'],
  [10_080, '1 week'],
  [2_880, '2 days'],
  [90, '90 minutes'],
  [null, 'Usage'],
] as const)('a meter of %s minutes is called %s', ([minutes, label]) => {
  expect(windowLabel(minutes)).toBe(label)
})

test.for([
  [false, 'blocked'],
  [true, 'allowed'],
  [null, 'unknown'],
  [undefined, 'unknown'],
] as const)(
  'permission %s is availability %s, however full the meters are',
  async ([ordinaryUsageAllowed, availability]) => {
    const { agent } = account({
      accountId: 'a',
      ordinaryUsageAllowed,
      rateLimits: { limitId: 'codex', primary: window(100, 300, 1_000), secondary: window(120, 10_080, 2_000) },
    })
    const limits = await agent.limits()
    expect(limits).toEqual({
      windows: [
        { label: '5 hours', usedPercent: 100, resetsAt: iso(1_000) },
        { label: '1 week', usedPercent: 120, resetsAt: iso(2_000) },
      ],
      recovery: { identity: 'a', availability, resetsAt: iso(2_000) },
    })
    expect(agent.quotaFacts).toEqual(limits?.recovery)
  },
)

test('only exhausted meters have to reset, and another meter than the ordinary one is named', async () => {
  const { agent } = account(
    { ordinaryUsageAllowed: true, rateLimits: { limitId: 'spark', primary: window(99, 300, 5_000) } },
    { workspaceRouting: { chatgptAccountId: 'routed' } },
  )
  expect((await agent.limits())?.recovery).toEqual({ identity: 'routed', availability: 'allowed', scope: 'spark' })
})

test('meters of one account say nothing about another', async () => {
  const { agent } = account(
    { accountId: 'a', ordinaryUsageAllowed: true, rateLimits: { primary: window(100, 300, 1_000) } },
    { workspaceRouting: { chatgptAccountId: 'b' } },
  )
  expect((await agent.limits())?.recovery).toEqual({ identity: 'a', availability: 'unknown' })
})

test('an account without meters has none; one that cannot be read is no obstacle', async () => {
  expect(await account(null).agent.limits()).toBeNull()
  expect((await account({ accountId: 'a', rateLimits: {} }, null).agent.limits())?.recovery.identity).toBe('a')
})

test('an update reaches every open session, keeps the identity, and can only take certainty away', async () => {
  const { agent, notify, events } = account({
    accountId: 'a',
    ordinaryUsageAllowed: true,
    rateLimits: { limitId: 'codex', primary: window(10, 300, 1_000), secondary: window(100, 10_080, 9_000) },
  })
  await agent.limits()
  notify('account/rateLimits/updated', { rateLimits: { primary: window(20, 300, 1_000) } })
  expect(events).toEqual([
    {
      sessionId: 'chat',
      runId: 'run-1',
      event: 'usage_limits',
      windows: [
        { label: '5 hours', usedPercent: 20, resetsAt: iso(1_000) },
        { label: '1 week', usedPercent: 100, resetsAt: iso(9_000) },
      ],
      recovery: { identity: 'a', availability: 'unknown', resetsAt: iso(9_000) },
    },
  ])
})

test('an update without any meter, as it follows every response, tells nothing', () => {
  const { notify, events, agent } = scripted()
  notify('account/rateLimits/updated', {
    rateLimits: { limitId: 'codex', primary: null, secondary: null, credits: null },
  })
  notify('account/rateLimits/updated', {})
  expect([events, agent.quotaFacts]).toEqual([[], null])
})

test('a change of account forgets what was known, and what is being read', async () => {
  const { agent, notify, api } = scripted({
    answers: { 'account/read': () => ({}), 'account/rateLimits/read': () => undefined },
  })
  const reading = agent.limits()
  await settle()
  const asked = await api.peers[0]?.waitFor(({ method }) => method === 'account/rateLimits/read')
  notify('account/updated', {})
  if (asked) api.peers[0]?.reply(asked, { accountId: 'old', ordinaryUsageAllowed: true, rateLimits: {} })
  expect([await reading, agent.quotaFacts]).toEqual([null, null])
})

test('a used-up quota blocks with what is known of it; other errors, and errors of a turn that is over, block nothing', async () => {
  const { agent, notify, events } = account({
    accountId: 'a',
    ordinaryUsageAllowed: false,
    rateLimits: { primary: window(100, 300, 1_000) },
  })
  await agent.limits()
  const fail = (codexErrorInfo: unknown, turnId = 'turn-1') =>
    notify('error', { threadId: 'chat', turnId, willRetry: false, error: { message: 'm', codexErrorInfo } })
  for (const info of [
    'rateLimitExceeded',
    'unauthorized',
    'contextWindowExceeded',
    { responseTooManyFailedAttempts: { httpStatusCode: 429 } },
    null,
  ])
    fail(info)
  expect(eventsOf(events, 'usage_blocked')).toEqual([])
  fail('usageLimitExceeded')
  expect(events.at(-1)).toEqual({
    sessionId: 'chat',
    runId: 'run-1',
    event: 'usage_blocked',
    recovery: { identity: 'a', availability: 'blocked', resetsAt: iso(1_000) },
  })
  expect(agent.runOf('chat')).toBe('run-1')
  agent.finishRun('chat', { status: 'cancelled' })
  const before = events.length
  fail('usageLimitExceeded')
  expect(events).toHaveLength(before)
})
