/** What is asked of the user, and how each answer goes back. */
import { expect, test } from 'vitest'
import { scripted, settle } from './support/scripted.ts'
import { eventsOf } from './support/shown.ts'

/** An agent whose server has asked `method` with `params`. */
async function asked(method: string, params: Record<string, unknown>, id: number | string = 0) {
  const made = scripted()
  await made.agent.client()
  const peer = made.api.peers[0]
  peer?.send({ id, method, params: { threadId: 'chat', turnId: 'turn-1', ...params } })
  await settle()
  return { ...made, answer: () => peer?.received.find((message) => message.id === id && message.method === undefined) }
}

test.for([
  ['accept', 'accept'],
  ['acceptForSession', 'acceptForSession'],
  ['decline', 'decline'],
  ['cancel', 'cancel'],
  ['whatever', 'decline'],
] as const)('the option %s of a command decides %s', async ([optionId, decision]) => {
  const { agent, events, answer } = await asked('item/commandExecution/requestApproval', {
    itemId: 'x',
    command: "/bin/bash -lc 'rm a'",
    cwd: '/work',
    reason: 'It is old.',
    commandActions: [{ type: 'unknown', command: 'rm a' }],
  })
  const [approval] = eventsOf(events, 'approval')
  expect(approval).toEqual({
    sessionId: 'chat',
    runId: 'run-1',
    event: 'approval',
    id: expect.stringMatching(/^codex-approval-/),
    title: 'Run a command',
    description: 'It is old.',
    toolCall: {
      id: 'x',
      kind: 'execute',
      status: 'pending',
      title: 'rm a',
      name: 'shell',
      input: { command: "/bin/bash -lc 'rm a'", cwd: '/work' },
    },
    options: [
      { id: 'accept', name: 'Allow once', kind: 'allow_once' },
      { id: 'acceptForSession', name: 'Allow for this session', kind: 'allow_always' },
      { id: 'decline', name: 'Decline', kind: 'reject_once' },
      { id: 'cancel', name: 'Decline and stop', kind: 'reject_always' },
    ],
  })
  expect(answer()).toBeUndefined()
  const approvalId = approval?.id ?? ''
  await agent.respondToApproval({ approvalId, optionId })
  expect(answer()?.result).toEqual({ decision })
  await expect(agent.respondToApproval({ approvalId, optionId })).rejects.toThrow(
    `no codex approval is waiting under ${approvalId}: it was answered already, or withdrawn`,
  )
})

test('what another client has answered is withdrawn once and never answered; our own answer is not told again', async () => {
  const { agent, events, api, answer } = await asked(
    'item/fileChange/requestApproval',
    { itemId: 'f', grantRoot: '/out' },
    'id-1',
  )
  const [approval] = eventsOf(events, 'approval')
  expect(approval).toMatchObject({ title: 'Allow writes under /out', toolCall: { kind: 'edit', name: 'apply_patch' } })
  const resolved = { method: 'serverRequest/resolved', params: { threadId: 'chat', requestId: 'id-1' } }
  api.peers[0]?.send(resolved)
  api.peers[0]?.send(resolved)
  await settle()
  expect(eventsOf(events, 'approval_resolved')).toEqual([
    { sessionId: 'chat', runId: 'run-1', event: 'approval_resolved', id: approval?.id },
  ])
  expect([agent.approvals.size, answer()]).toEqual([0, undefined])
  const own = await asked('item/commandExecution/requestApproval', { itemId: 'x', command: 'ls' })
  await own.agent.respondToApproval({ approvalId: eventsOf(own.events, 'approval')[0]?.id ?? '', optionId: 'accept' })
  own.notify('serverRequest/resolved', { threadId: 'chat', requestId: 0 })
  expect(eventsOf(own.events, 'approval_resolved')).toEqual([])
})

test('what a turn that is over still asks is answered with a stop, and not put to the user', async () => {
  const { agent, api, events } = await asked('never/heard', {})
  agent.finishRun('chat', { status: 'cancelled' })
  api.peers[0]?.send({
    id: 5,
    method: 'item/commandExecution/requestApproval',
    params: { threadId: 'chat', turnId: 'turn-1', command: 'x' },
  })
  await settle()
  expect(api.peers[0]?.received.find(({ id }) => id === 5)?.result).toEqual({ decision: 'cancel' })
  expect(eventsOf(events, 'approval')).toEqual([])
})

test.for([
  'item/permissions/requestApproval',
  'account/chatgptAuthTokens/refresh',
  'attestation/generate',
  'execCommandApproval',
  'toString',
])('%s is refused at once', async (method) => {
  const { answer, events } = await asked(method, {})
  expect(answer()?.error).toEqual({ code: -32_601, message: `${method} is not answered here` })
  expect(events).toEqual([])
})

test('a question of a tool becomes a form, and its values the answer map', async () => {
  const { agent, events, answer } = await asked('item/tool/requestUserInput', {
    questions: [
      {
        id: 'where',
        header: 'Where',
        question: 'To which place?',
        isOther: true,
        options: [
          { label: 'Here', description: 'Near' },
          { label: 'There', description: '' },
        ],
      },
      { id: 'why', header: '', question: 'Why?', isOther: false, options: null },
      { id: 'key', header: 'Key', question: '', isSecret: true, options: null },
    ],
  })
  const [question] = eventsOf(events, 'question')
  expect(question).toMatchObject({ responseMode: 'tool', runId: 'run-1' })
  expect(question?.fields).toEqual([
    {
      id: 'where',
      label: 'Where',
      description: 'To which place?',
      kind: 'select',
      allowOther: true,
      required: true,
      options: [
        { value: 'Here', label: 'Here', description: 'Near' },
        { value: 'There', label: 'There' },
      ],
    },
    { id: 'why', label: 'Why?', kind: 'text', allowOther: false, required: true },
    { id: 'key', label: 'Key', kind: 'text', allowOther: false, required: true, secret: true },
  ])
  const values = { where: 'There', why: ['a', 'b'], key: true }
  await agent.respondToQuestion({ questionId: question?.id ?? '', answer: { values, cancelled: false } })
  expect(answer()?.result).toEqual({
    answers: { where: { answers: ['There'] }, why: { answers: ['a', 'b'] }, key: { answers: ['true'] } },
  })
})

test('a cancelled question of a tool is answered with nothing, a cancelled elicitation with a cancel', async () => {
  const cancelled = { values: { a: 'ignored' }, cancelled: true }
  const tool = await asked('item/tool/requestUserInput', { questions: [{ id: 'a', question: '?' }] })
  await tool.agent.respondToQuestion({ questionId: eventsOf(tool.events, 'question')[0]?.id ?? '', answer: cancelled })
  expect(tool.answer()?.result).toEqual({ answers: {} })
  for (const params of [
    { mode: 'form', message: 'm', requestedSchema: {} },
    { mode: 'url', message: 'm', url: 'https://a.b/' },
  ]) {
    const server = await asked('mcpServer/elicitation/request', params)
    await server.agent.respondToQuestion({
      questionId: eventsOf(server.events, 'question')[0]?.id ?? '',
      answer: cancelled,
    })
    expect(server.answer()?.result).toEqual({ action: 'cancel', content: null, _meta: null })
  }
})

test.for([
  ['session', ['accept', 'acceptForSession', 'cancel']],
  [['always'], ['accept', 'acceptAlways', 'cancel']],
  [
    ['session', 'always'],
    ['accept', 'acceptForSession', 'acceptAlways', 'cancel'],
  ],
  [null, ['accept', 'cancel']],
] as const)('a tool of an MCP server that may be remembered for %j offers %j', async ([persist, options]) => {
  const { events } = await asked('mcpServer/elicitation/request', {
    mode: 'form',
    message: 'May I?',
    _meta: { codex_approval_kind: 'mcp_tool_call', persist },
  })
  const [approval] = eventsOf(events, 'approval')
  expect([approval?.title, approval?.options.map(({ id }) => id)]).toEqual(['May I?', options])
})

test.for([
  ['accept', { action: 'accept', content: {}, _meta: null }],
  ['acceptForSession', { action: 'accept', content: {}, _meta: { persist: 'session' } }],
  ['cancel', { action: 'cancel', content: null, _meta: null }],
  ['acceptAlways', { action: 'cancel', content: null, _meta: null }],
] as const)('the option %s of an MCP tool that offers a session answers %j', async ([optionId, result]) => {
  const { agent, events, answer } = await asked('mcpServer/elicitation/request', {
    mode: 'form',
    message: 'May I?',
    _meta: { codex_approval_kind: 'mcp_tool_call', persist: 'session' },
  })
  await agent.respondToApproval({ approvalId: eventsOf(events, 'approval')[0]?.id ?? '', optionId })
  expect(answer()?.result).toEqual(result)
})

test('a form of an MCP server has a field for each property, and numbers go back as numbers', async () => {
  const { agent, events, answer } = await asked('mcpServer/elicitation/request', {
    mode: 'form',
    message: 'Deploy',
    _meta: null,
    requestedSchema: {
      type: 'object',
      properties: {
        branch: { type: 'string', title: 'Branch', description: 'What to deploy' },
        force: { type: 'boolean' },
        target: { type: 'string', oneOf: [{ const: 'p', title: 'Production' }, { const: 's' }] },
        colour: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
        who: { type: 'array', items: { enum: ['ada', 'grace'] } },
        tries: { type: 'integer' },
        share: { type: 'number' },
        odd: 'not a schema',
      },
      required: ['branch'],
    },
  })
  const [question] = eventsOf(events, 'question')
  expect(question).toMatchObject({ responseMode: 'elicitation', message: 'Deploy' })
  expect(question?.fields).toEqual([
    { id: 'branch', label: 'Branch', description: 'What to deploy', kind: 'text', required: true },
    { id: 'force', label: 'force', kind: 'boolean', required: false },
    {
      id: 'target',
      label: 'target',
      kind: 'select',
      required: false,
      options: [
        { value: 'p', label: 'Production' },
        { value: 's', label: 's' },
      ],
    },
    {
      id: 'colour',
      label: 'colour',
      kind: 'select',
      required: false,
      options: [
        { value: 'r', label: 'Red' },
        { value: 'g', label: 'Green' },
      ],
    },
    {
      id: 'who',
      label: 'who',
      kind: 'multi_select',
      required: false,
      options: [
        { value: 'ada', label: 'ada' },
        { value: 'grace', label: 'grace' },
      ],
    },
    { id: 'tries', label: 'tries', kind: 'text', required: false },
    { id: 'share', label: 'share', kind: 'text', required: false },
    { id: 'odd', label: 'odd', kind: 'text', required: false },
  ])
  const values = { branch: 'main', force: false, who: ['ada'], tries: '3', share: '0.5', odd: '7' }
  await agent.respondToQuestion({ questionId: question?.id ?? '', answer: { values, cancelled: false } })
  expect(answer()?.result).toEqual({
    action: 'accept',
    content: { branch: 'main', force: false, who: ['ada'], tries: 3, share: 0.5, odd: '7' },
    _meta: null,
  })
})

test.for(['file:///etc/passwd', 'javascript:alert(1)', 'not a url', ''])(
  'a page %j is refused with a notice, and its address is not told',
  async (url) => {
    const { events, answer, agent } = await asked('mcpServer/elicitation/request', {
      mode: 'url',
      message: 'Open',
      url,
    })
    expect(answer()?.result).toEqual({ action: 'cancel', content: null, _meta: null })
    expect(events).toEqual([
      {
        sessionId: 'chat',
        runId: 'run-1',
        event: 'notice',
        level: 'error',
        message: 'Codex was asked to open an invalid external URL (expected http or https); it was refused.',
      },
    ])
    expect(agent.questions.size).toBe(0)
  },
)

test.for(['openai/form', 'openaiForm', 'openai/userVerification', 'telepathy'])(
  'an elicitation of the mode %s is refused',
  async (mode) => {
    const { answer } = await asked('mcpServer/elicitation/request', { mode, message: '?' })
    expect(answer()?.error).toMatchObject({ code: -32_601 })
  },
)

test('a tool that the host does not have is a failed result for the model', async () => {
  const { api, agent } = scripted({
    onHost: () => {
      throw new Error('no tool named fly')
    },
  })
  await agent.client()
  api.peers[0]?.send({
    id: 0,
    method: 'item/tool/call',
    params: { threadId: 'chat', callId: 'c', tool: 'fly', arguments: { to: 'x' } },
  })
  const answer = await api.peers[0]?.waitFor((message) => message.id === 0 && message.method === undefined)
  expect(answer?.result).toEqual({ contentItems: [{ type: 'inputText', text: 'no tool named fly' }], success: false })
  expect(api.hostCalls).toEqual([
    {
      method: 'host/tools.call',
      params: { agentId: 'codex', sessionId: 'chat', name: 'fly', input: { to: 'x' }, callId: 'c' },
    },
  ])
})
