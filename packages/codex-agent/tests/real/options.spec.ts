/** Options, skills and account facts of the real Codex CLI. */
import { expect, test } from 'vitest'
import { realCodex } from '../support/real-codex.ts'
import { eventsOf } from '../support/shown.ts'

const script = { turns: [{ text: 'Done.', times: 'any' as const }] }

test('an account with nothing set is read-only and asks; its model is a choice though no catalogue has it', async () => {
  await using codex = await realCodex({ script, model: 'house-model' })
  const { options } = await codex.agent.listOptions({ workspace: codex.workspace })
  expect(options.map(({ id, value }) => [id, value])).toEqual([
    ['model', 'house-model'],
    ['reasoning', null],
    ['permission_mode', 'read_only'],
  ])
  const models = options[0]?.choices?.map(({ value }) => value) ?? []
  expect(models.at(-1)).toBe('house-model')
  expect(models.length).toBeGreaterThan(5)
})

test('chosen options reach the model, from the first turn and after a change', async () => {
  await using codex = await realCodex({ script, model: 'gpt-5.5' })
  const { sessionId } = await codex.agent.createSession({
    workspace: codex.workspace,
    options: { reasoning: 'high', permission_mode: 'full' },
  })
  await codex.run(sessionId, 'One')
  await codex.agent.setOption({ sessionId, optionId: 'reasoning', value: 'low' })
  await codex.run(sessionId, 'Two')
  const efforts = codex.replay.requests.map(
    (request) => /"effort":"(\w+)"/.exec(JSON.stringify(request).replaceAll('\\', ''))?.[1],
  )
  expect(efforts).toEqual(['high', 'low'])
})

test('a wrong option is refused with what is allowed, before anything is sent', async () => {
  await using codex = await realCodex({ script })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
  const set = (optionId: string, value: string) => codex.agent.setOption({ sessionId, optionId, value })
  await expect(set('colour', 'red')).rejects.toThrow(
    'codex has no option "colour" (expected one of: model, reasoning, permission_mode)',
  )
  await expect(set('permission_mode', 'yolo')).rejects.toThrow(
    'option permission_mode is "yolo" (expected one of: read_only, ask, auto_edits, auto, full)',
  )
  await expect(set('reasoning', 'maximal')).rejects.toThrow(
    /^option reasoning is "maximal" \(expected one of: low, medium, /,
  )
})

test('a custom provider needs no sign-in, and the version is inside the tested range', async () => {
  await using codex = await realCodex({ script })
  const info = await codex.agent.initialize()
  expect(info).toMatchObject({
    id: 'codex',
    version: '0.171.0',
    status: { state: 'ready' },
    continuationKey: codex.home,
    usageLimits: null,
    warnings: [],
  })
  expect(info.maintenance).toBeUndefined()
})

test('the warning about an unknown model comes once, and every warning has words', async () => {
  await using codex = await realCodex({ script, model: 'house-model' })
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
  await codex.run(sessionId, 'One')
  await codex.run(sessionId, 'Two')
  const notices = eventsOf(codex.events, 'notice').map(({ message }) => message)
  expect(notices.filter((message) => message.includes('house-model'))).toHaveLength(1)
  expect(notices.some((message) => message.includes('bubblewrap'))).toBe(true)
  expect(notices.filter((message) => /undefined|null/.test(message))).toEqual([])
})

test('a skill of the workspace is listed, and used by its file', async () => {
  await using codex = await realCodex({ script })
  await codex.world.write(
    'workspace/.codex/skills/greet/SKILL.md',
    '---\nname: greet\ndescription: Greets people\n---\nSay good day.\n',
  )
  const { skills } = await codex.agent.listSkills({ workspace: codex.workspace })
  const names = skills.map(({ name }) => name)
  const { sessionId } = await codex.agent.createSession({ workspace: codex.workspace })
  const [skill] = names
  const { runId } = await codex.agent.prompt({
    sessionId,
    input: { blocks: [{ type: 'skill', name: skill ?? '', input: 'now' }] },
  })
  expect((await codex.seen('run_finished', (event) => event.runId === runId)).outcome).toEqual({ status: 'completed' })
  expect(JSON.stringify(codex.replay.requests[0])).toContain('<skill>')
  await expect(
    codex.agent.prompt({ sessionId, input: { blocks: [{ type: 'skill', name: 'fly', input: '' }] } }),
  ).rejects.toThrow('codex has no skill "fly" in this workspace: list the skills first (list_skills)')
})
