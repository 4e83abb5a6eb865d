/** The list of accounts; what they do beside each other is tried on the real CLI. */
import { fakeApi } from '@loader-smoke/agent-sdk/testing'
import { Accounts, type AccountsOptions, defaultAccount } from '@loader-smoke/codex-agent'
import { expect, test } from 'vitest'

function accounts(options: Partial<AccountsOptions> = {}) {
  return new Accounts({
    host: fakeApi({ onSpawn: () => () => {} }),
    emit: () => {},
    env: { HOME: '/home/me' },
    ...options,
  })
}

test('there is the user’s own account, and any number beside it, until they are removed', async () => {
  const list = accounts()
  expect(list.list()).toEqual([defaultAccount])
  list.create('work')
  list.create('0-play')
  expect(list.list().map(({ id, home }) => [id, home])).toEqual([
    ['codex', null],
    ['codex-work', '/home/me/.codex-accounts/work'],
    ['codex-0-play', '/home/me/.codex-accounts/0-play'],
  ])
  await list.remove('codex')
  expect(list.agent('codex')).toBeUndefined()
  expect(list.agent('codex-work')?.account.name).toBe('Codex (work)')
  await expect(list.remove('codex')).rejects.toThrow(
    'there is no Codex account codex (expected one of: codex-work, codex-0-play)',
  )
})

test('a list that was stored makes the same accounts again', () => {
  const stored = accounts({ root: '/srv/accounts' })
  stored.create('a')
  const again = accounts({ accounts: stored.list() })
  expect(again.list()).toEqual(stored.list())
})

test.for(['', 'Work', 'a b', '../up', '-a', 'a/b', 'a'.repeat(64)])(
  'the name %j is refused with what is allowed',
  (name) => {
    expect(() => accounts().create(name)).toThrow(
      `the account name is ${JSON.stringify(name)} (expected 1 to 63 lower-case letters, digits and dashes, the first not a dash)`,
    )
  },
)

test('two accounts have neither one id nor one home', () => {
  const list = accounts()
  list.create('a')
  expect(() => list.create('a')).toThrow('there is already a Codex account codex-a')
  const other = { id: 'x', name: 'X', home: '/home/me/.codex/' }
  expect(() => accounts({ accounts: [defaultAccount, other] })).toThrow(
    'accounts codex and x have the same home /home/me/.codex: give one of them another',
  )
  expect(() => accounts({ accounts: [{ ...other, home: 'relative' }] })).toThrow(
    'the home of account x is "relative" (expected an absolute path)',
  )
})
