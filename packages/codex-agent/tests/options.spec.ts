/** Options: what may be chosen, what applies, what it means on the wire. Pure. */
import { expect, test } from 'vitest'
import { listOptions } from '../src/options/list.ts'
import { modeOf, threadMode, turnMode } from '../src/options/modes.ts'
import { applyOption, checkOption } from '../src/options/set.ts'
import { threadSettings, turnSettings } from '../src/options/settings.ts'
import { allPages } from '../src/wire/pages.ts'
import { scripted } from './support/scripted.ts'

test.for([
  [{}, 'read_only'],
  [{ approval_policy: null, sandbox_mode: null }, 'read_only'],
  [{ approval_policy: 'untrusted', sandbox_mode: 'workspace-write' }, 'ask'],
  [{ approval_policy: 'on-request', sandbox_mode: 'workspace-write' }, 'auto_edits'],
  [{ sandbox_mode: 'workspace-write', approvals_reviewer: 'auto_review' }, 'auto'],
  [{ approval_policy: 'never', sandbox_mode: 'danger-full-access' }, 'full'],
  [{ approval_policy: 'never', sandbox_mode: 'read-only' }, 'custom'],
  [{ approval_policy: { granular: {} } }, 'custom'],
] as const)('the configuration %j amounts to the mode %s', ([config, mode]) => {
  expect(modeOf(config)).toBe(mode)
})

test('a mode is a name where a thread is opened, and an object where a turn starts', () => {
  expect(threadMode('full')).toEqual({
    approvalPolicy: 'never',
    sandbox: 'danger-full-access',
    approvalsReviewer: 'user',
  })
  expect(turnMode('full')).toEqual({
    approvalPolicy: 'never',
    sandboxPolicy: { type: 'dangerFullAccess' },
    approvalsReviewer: 'user',
  })
  expect(turnMode('auto')).toMatchObject({
    approvalPolicy: 'on-request',
    sandboxPolicy: { type: 'workspaceWrite' },
    approvalsReviewer: 'auto_review',
  })
  expect(turnMode('ask')).toMatchObject({ approvalPolicy: 'untrusted', sandboxPolicy: { type: 'workspaceWrite' } })
  expect(turnMode('read_only')).toMatchObject({ sandboxPolicy: { type: 'readOnly', networkAccess: false } })
  expect([threadMode('custom'), turnMode('custom'), turnMode(undefined), turnMode('toString')]).toEqual([
    {},
    {},
    {},
    {},
  ])
})

test('what is not chosen is left to the configuration', () => {
  expect([threadSettings({}), turnSettings({})]).toEqual([{}, {}])
  expect(threadSettings({ model: 'm', reasoning: 'high' })).toEqual({
    model: 'm',
    config: { model_reasoning_effort: 'high' },
  })
  expect(turnSettings({ model: 'm', reasoning: 'high' })).toEqual({ model: 'm', effort: 'high' })
})

const models = [
  {
    id: 'big',
    displayName: 'Big',
    isDefault: true,
    defaultReasoningEffort: 'medium',
    supportedReasoningEfforts: [{ reasoningEffort: 'low' }, { reasoningEffort: 'medium', description: 'Balanced' }],
  },
  { id: 'small', description: 'Fast', supportedReasoningEfforts: [{ reasoningEffort: 'low' }] },
]
const values = (options: ReturnType<typeof listOptions>) => options.map(({ value }) => value)

test('the values are those of the session, else of the configuration, else of the catalogue', () => {
  expect(values(listOptions({ models, config: {} }, {}))).toEqual(['big', 'medium', 'read_only'])
  expect(values(listOptions({ models, config: { model: 'small' } }, {}))).toEqual(['small', 'low', 'read_only'])
  const config = { model: 'small', model_reasoning_effort: 'high' }
  expect(values(listOptions({ models, config }, {}))).toEqual(['small', 'high', 'read_only'])
  expect(values(listOptions({ models, config }, { model: 'big', permission_mode: 'full' }))).toEqual([
    'big',
    'medium',
    'full',
  ])
  expect(values(listOptions({ models: [], config: {} }, {}))).toEqual([null, null, 'read_only'])
})

test('choices carry their words; a model outside the catalogue and a mode outside the table are added', () => {
  const [model, reasoning, mode] = listOptions({ models, config: { model: 'house', approval_policy: 'never' } }, {})
  expect(model?.choices).toEqual([
    { value: 'big', label: 'Big' },
    { value: 'small', label: 'small', description: 'Fast' },
    { value: 'house', label: 'house' },
  ])
  expect(reasoning?.choices).toEqual([])
  expect(mode?.choices?.at(-1)).toEqual({
    value: 'custom',
    label: 'As configured',
    description: 'What config.toml says.',
  })
  expect(listOptions({ models, config: {} }, {})[1]?.choices).toEqual([
    { value: 'low', label: 'low' },
    { value: 'medium', label: 'medium', description: 'Balanced' },
  ])
})

test('another model drops the effort that was chosen for the one before', () => {
  const options: Record<string, string | undefined> = { reasoning: 'high', permission_mode: 'full' }
  applyOption(options, 'model', 'small')
  expect(options).toEqual({ model: 'small', permission_mode: 'full' })
})

test.for([
  ['mode', 'x', 'codex has no option "mode" (expected one of: model, reasoning, permission_mode)'],
  ['model', '', 'option model is empty (expected a value)'],
  [
    'permission_mode',
    'custom',
    'option permission_mode is "custom" (expected one of: read_only, ask, auto_edits, auto, full)',
  ],
  ['reasoning', 'huge', 'option reasoning is "huge" (expected one of: low, medium)'],
] as const)('%s = %j is refused', ([option, value, message]) => {
  expect(() => checkOption(option, value, listOptions({ models, config: {} }, {}))).toThrow(message)
})

test('every page is read by its cursor, hidden models are left out, and a cursor that comes again ends the list', async () => {
  const asked: unknown[] = []
  const { agent } = scripted({
    answers: {
      'model/list': ({ cursor }) => {
        asked.push(cursor)
        return cursor === null
          ? { data: [{ id: 'a' }, { id: 'b', hidden: true }], nextCursor: 'p2' }
          : { data: [{ id: 'c' }, null], nextCursor: null }
      },
      'config/read': () => ({ config: {} }),
    },
  })
  const { options } = await agent.listOptions({ workspace: '/work' })
  expect([asked, options[0]?.choices?.map(({ value }) => value)]).toEqual([
    [null, 'p2'],
    ['a', 'c'],
  ])
  expect(await allPages(async () => ({ data: [1], nextCursor: 'again' }))).toEqual([1, 1])
})
