/** Accounts of the real Codex CLI side by side. */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Event } from '@loader-smoke/agent-sdk'
import { waitFor } from '@loader-smoke/testkit'
import { expect, test } from 'vitest'
import { Accounts } from '../../src/accounts.ts'
import { nativeServers, realCodex, realHost, writeConfig } from '../support/real-codex.ts'

test('accounts work at the same time, each in its own folder, and nothing of one is seen by the other', async () => {
  await using codex = await realCodex({ script: { turns: [{ text: 'I am {{user}}.' }], for: 'each' } })
  const { world, replay, workspace } = codex
  const events: [string, Event][] = []
  const accounts = new Accounts({
    host: realHost(world),
    emit: ({ id }, event) => events.push([id, event]),
    root: world.file('accounts'),
    accounts: [],
  })
  const made = ['ada', 'grace', 'edsger'].map((name) => accounts.create(name))
  expect(accounts.list()).toEqual(
    ['ada', 'grace', 'edsger'].map((name) => ({
      id: `codex-${name}`,
      name: `Codex (${name})`,
      home: world.file('accounts', name),
    })),
  )
  for (const { account } of made) await writeConfig(world, `accounts/${account.name.slice(7, -1)}`, replay.url)
  const runs = await Promise.all(
    made.map(async (agent) => {
      const { sessionId } = await agent.createSession({ workspace })
      await agent.prompt({ sessionId, input: { blocks: [{ type: 'text', text: agent.account.id }] } })
      await waitFor('the run to end', () => agent.runOf(sessionId) === null)
      return { agent, sessionId }
    }),
  )
  for (const { agent, sessionId } of runs) {
    const own = events.filter(([id]) => id === agent.account.id).map(([, event]) => event)
    expect(own.filter((event) => event.sessionId !== '').map((event) => event.sessionId)).toSatisfy((ids: string[]) =>
      ids.every((id) => id === sessionId),
    )
    expect(own.find((event) => event.event === 'text_delta')).toMatchObject({ text: `I am ${agent.account.id}.` })
    const { sessions } = await agent.listSessions({ workspace })
    expect(sessions.map(({ id }) => id)).toEqual([sessionId])
    const home = agent.account.home ?? ''
    const others = runs.filter((run) => run.agent !== agent).map((run) => run.sessionId)
    expect(await filesNaming(home, others)).toEqual([])
    expect(await filesNaming(home, [sessionId])).not.toEqual([])
  }
  await accounts.remove('codex-grace')
  expect(nativeServers(world.file('accounts', 'grace'))).toEqual([])
  expect(existsSync(world.file('accounts', 'grace'))).toBe(true)
  expect(accounts.list().map(({ id }) => id)).toEqual(['codex-ada', 'codex-edsger'])
  expect(nativeServers(world.file('accounts', 'ada'))).toHaveLength(1)
  await accounts.dispose()
  expect(nativeServers(world.file('accounts', 'ada'))).toEqual([])
})

test('a broken account folder says what is wrong, without a run', async () => {
  await using codex = await realCodex({ script: { turns: [{ text: 'x', optional: true }] } })
  const { world, workspace } = codex
  await world.write('a-file', '')
  const accounts = new Accounts({
    host: realHost(world),
    emit: () => {},
    accounts: [{ id: 'codex', name: 'Codex', home: world.file('a-file') }],
  })
  const agent = accounts.agent('codex')
  await expect(agent?.createSession({ workspace })).rejects.toThrow(
    /^the codex CLI could not be started: CODEX_HOME is .*a-file/,
  )
  await accounts.dispose()
})

test('a configuration that cannot be read says so when a session is created', async () => {
  await using codex = await realCodex({
    script: { turns: [{ text: 'x', optional: true }] },
    config: 'approval_policy = "sometimes"',
  })
  await expect(codex.agent.createSession({ workspace: codex.workspace })).rejects.toThrow(/^thread\/start failed: /)
})

async function filesNaming(folder: string, texts: readonly string[]): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of names.filter((one) => one.isFile())) {
    const content = await readFile(join(entry.parentPath, entry.name), 'utf8')
    if (texts.some((text) => content.includes(text) || entry.name.includes(text))) found.push(entry.name)
  }
  return found
}
