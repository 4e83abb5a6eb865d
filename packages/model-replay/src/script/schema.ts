/** What a script file may hold: the one table that its type, its check and its published JSON schema derive from. */
import type { Infer } from './shape.ts'

const MAX_TOKENS = 1_000_000_000
const MAX_DELAY_MS = 600_000

const textTest = {
  kind: 'either',
  says: 'A test on a text: plain text is contained in it; or exactly one of equals, contains, matches.',
  of: [
    { kind: 'string', says: 'Text that must be contained.' },
    {
      kind: 'object',
      says: 'equals, contains or matches',
      fields: {
        equals: { kind: 'string', says: 'The whole text.' },
        contains: { kind: 'string', says: 'Text that must be contained.' },
        matches: { kind: 'string', says: 'A JavaScript regular expression (flags u and s are set).' },
      },
    },
  ],
} as const

const expectFields = {
  user: { ...textTest, says: 'Test on the last message of the user; notes that a client injects are skipped.' },
  firstUser: { ...textTest, says: 'Test on the first message of the user; notes that a client injects are skipped.' },
  system: { ...textTest, says: 'Test on the system or developer text.' },
  toolResult: {
    kind: 'either',
    says: 'Test on the text of a tool result that came with this request, or { tool, text } for the result of one tool.',
    of: [
      ...textTest.of,
      {
        kind: 'object',
        says: 'tool and text',
        fields: {
          tool: { kind: 'string', says: 'Name (or call id) of the tool call.', required: true },
          text: { ...textTest, says: 'Test on its result.', required: true },
        },
      },
    ],
  },
  last: {
    kind: 'choice',
    says: 'What the request ends with: a message of the user or tool results.',
    of: ['user', 'tool'],
  },
  tools: {
    kind: 'list',
    says: 'Names of tools that the request must offer.',
    of: { kind: 'string', says: 'Tool name.' },
  },
  model: { ...textTest, says: 'Test on the model name.' },
  thread: { ...textTest, says: 'Test on the thread id of the client.' },
  subagent: { kind: 'boolean', says: 'Whether a sub-agent asks (Codex says so in a header).' },
  agent: { ...textTest, says: 'Test on the name of the asking agent (Codex: "/root", "/root/scout").' },
  purpose: {
    kind: 'choice',
    says: 'What the request is for, where the client says so.',
    of: ['turn', 'compaction'],
  },
  dialect: { kind: 'choice', says: 'The API that is spoken.', of: ['chat', 'responses', 'messages'] },
  stream: { kind: 'boolean', says: 'Whether a streamed answer is asked for.' },
} as const

const toolCallFields = {
  name: { kind: 'string', says: 'Name of the tool.', minLength: 1, required: true },
  arguments: {
    kind: 'json',
    says: 'Arguments: a mapping, sent as JSON, or text, sent as it is (so that broken JSON can be sent). Default: {}.',
  },
  input: { kind: 'string', says: 'Free text of a custom tool (apply_patch, exec), instead of arguments.' },
  namespace: { kind: 'string', says: 'Namespace of the tool in the Responses API (mcp__server, collaboration).' },
  id: { kind: 'string', says: 'Call id. Default: made by the server, unique in the run.', minLength: 1 },
  unoffered: { kind: 'boolean', says: 'Call the tool although the request does not offer it. Default: false.' },
} as const

const toolCall = {
  kind: 'either',
  says: 'A tool call, or { anyOf } with calls of which the first offered by the request is taken.',
  of: [
    { kind: 'object', says: 'name with arguments or input', fields: toolCallFields },
    {
      kind: 'object',
      says: 'anyOf',
      fields: {
        anyOf: {
          kind: 'list',
          says: 'Calls in order of preference; the first whose tool the request offers is made.',
          of: { kind: 'object', says: 'name with arguments or input', fields: toolCallFields },
          min: 1,
          required: true,
        },
      },
    },
  ],
} as const

const chunkedText = (says: string) =>
  ({
    kind: 'either',
    says: `${says} A list is sent as one delta per entry.`,
    of: [
      { kind: 'string', says: 'Text.' },
      { kind: 'list', says: 'Deltas.', of: { kind: 'string', says: 'Delta.' }, min: 1 },
    ],
  }) as const

const block = {
  kind: 'object',
  says: 'one of text, reasoning, refusal, toolCall, responsesItem, hold',
  fields: {
    text: chunkedText('Text of the answer.'),
    reasoning: chunkedText('Reasoning.'),
    refusal: chunkedText('Refusal.'),
    toolCall,
    responsesItem: { kind: 'json', says: 'A raw output item; only in the Responses API.' },
    hold: {
      kind: 'string',
      says: 'Name of a gate: the stream stops here until `server.release(name)` or the client leaves.',
      minLength: 1,
    },
  },
} as const

const tokens = (says: string) => ({ kind: 'integer', says, min: 0, max: MAX_TOKENS }) as const

/** Faults by name: what happens on the wire instead of (or during) the answer. */
export const FAULT_KINDS = [
  'refuse',
  'reset',
  'stall-before-headers',
  'stall-after-headers',
  'stall-mid-stream',
  'cut',
  'early-end',
  'cut-mid-character',
  'reset-mid-stream',
  'malformed-sse',
  'malformed-json',
  'wrong-content-type',
  'empty-body',
  'empty',
  'slow',
  'overloaded',
  'context-overflow',
  'quota',
] as const

const turnFields = {
  name: { kind: 'string', says: 'Name used in reports. Default: turn and its number.', minLength: 1 },
  expect: { kind: 'object', says: 'what the request must look like', fields: expectFields },
  text: chunkedText('Text of the answer.'),
  reasoning: chunkedText('Reasoning before the text.'),
  refusal: chunkedText('Refusal instead of a text.'),
  toolCalls: { kind: 'list', says: 'Tool calls after the text; several are parallel.', of: toolCall, min: 1 },
  content: { kind: 'list', says: 'Blocks in order, instead of text, reasoning, refusal and toolCalls.', of: block },
  usage: {
    kind: 'object',
    says: 'tokens',
    fields: {
      inputTokens: tokens('All input tokens, cached ones included. Default: 0.'),
      outputTokens: tokens('All output tokens, reasoning included. Default: 0.'),
      cachedInputTokens: tokens('Input tokens read from the cache. Default: 0.'),
      reasoningTokens: tokens('Output tokens spent on reasoning. Default: 0.'),
    },
  },
  finish: {
    kind: 'choice',
    says: 'Why the answer ends; none: the stream ends properly but names no reason. Default: tool_calls when there are any, refusal when refused, else stop.',
    of: ['stop', 'tool_calls', 'length', 'content_filter', 'refusal', 'none'],
  },
  error: {
    kind: 'object',
    says: 'an error answer',
    fields: {
      status: {
        kind: 'integer',
        says: 'HTTP status, or 200 for an error event within the stream.',
        min: 200,
        max: 599,
        required: true,
      },
      message: { kind: 'string', says: 'Text. Default: the reason phrase of the status.' },
      type: { kind: 'string', says: 'Type in the body. Default: as the API names that status.' },
      code: { kind: 'string', says: 'Code in the body.' },
      retryAfter: {
        kind: 'either',
        says: 'Header retry-after: seconds, or an HTTP date.',
        of: [
          { kind: 'number', says: 'Seconds.', min: 0, max: 86_400 },
          { kind: 'string', says: 'HTTP date.' },
        ],
      },
      body: { kind: 'json', says: 'The whole body, instead of message, type and code.' },
    },
  },
  fault: {
    kind: 'either',
    says: 'A fault by name, or its kind with settings.',
    of: [
      { kind: 'choice', says: 'Fault.', of: FAULT_KINDS },
      {
        kind: 'object',
        says: 'kind and its settings',
        fields: {
          kind: { kind: 'choice', says: 'Which fault.', of: FAULT_KINDS, required: true },
          afterBytes: {
            kind: 'integer',
            says: 'Bytes of the body sent before it. Default: half of them.',
            min: 0,
            max: 1e9,
          },
          chunkBytes: { kind: 'integer', says: 'slow: bytes per write. Default: 16.', min: 1, max: 1e9 },
          forMs: {
            kind: 'integer',
            says: 'refuse: how long nothing listens, in ms. Default: 300.',
            min: 1,
            max: MAX_DELAY_MS,
          },
          everyMs: { kind: 'integer', says: 'slow: pause in ms. Default: 5.', min: 0, max: MAX_DELAY_MS },
        },
      },
    ],
  },
  headers: {
    kind: 'map',
    says: 'Further response headers (x-codex-primary-used-percent, ...).',
    of: { kind: 'string', says: 'Value.' },
  },
  delayMs: { kind: 'integer', says: 'Wait before the response head, in ms. Default: 0.', min: 0, max: MAX_DELAY_MS },
  chunkDelayMs: { kind: 'integer', says: 'Wait between events, in ms. Default: 0.', min: 0, max: MAX_DELAY_MS },
  times: {
    kind: 'either',
    says: 'How often the turn is served. Default: 1. "any": any number of times, also none.',
    of: [
      { kind: 'integer', says: 'Number of times.', min: 1, max: 1_000_000 },
      { kind: 'choice', says: 'Any number.', of: ['any'] },
    ],
  },
  optional: { kind: 'boolean', says: 'The turn may be skipped and may stay unused. Default: false.' },
} as const

const turns = {
  kind: 'list',
  says: 'Answers of the model, in order.',
  of: { kind: 'object', says: 'a turn', fields: turnFields },
  min: 1,
} as const

const scope = {
  kind: 'choice',
  says: 'Who gets the turns. one (default): the first conversation that fits, and no other. each: every conversation that fits runs through its own copy. all: handed out in order of arrival, whoever asks.',
  of: ['one', 'each', 'all'],
} as const

const order = {
  kind: 'choice',
  says: 'strict (default): turn after turn. any: the first unused turn whose expect fits.',
  of: ['strict', 'any'],
} as const

/** The root of a script file. */
export const scriptShape = {
  kind: 'object',
  says: 'turns or conversations',
  fields: {
    $schema: { kind: 'string', says: 'Address of this schema, for editors.' },
    version: { kind: 'choice', says: 'Version of the format. Default: 1.', of: [1] },
    models: {
      kind: 'list',
      says: 'Models that GET /models lists. Default: none.',
      of: { kind: 'string', says: 'Model id.', minLength: 1 },
    },
    threadHeader: {
      kind: 'string',
      says: 'Request header that names the conversation, beside the ones known (thread-id, x-deepseek-harness-session-id).',
      minLength: 1,
    },
    turns,
    for: scope,
    order,
    conversations: {
      kind: 'list',
      says: 'Several conversations, each with its own turns.',
      of: {
        kind: 'object',
        says: 'a conversation',
        fields: {
          name: { kind: 'string', says: 'Name used in reports. Default: conversation and its number.', minLength: 1 },
          match: {
            kind: 'object',
            says: 'which conversations: a test on their first request',
            fields: expectFields,
          },
          for: scope,
          order,
          turns: { ...turns, required: true },
        },
      },
      min: 1,
    },
    faults: {
      kind: 'object',
      says: 'a random mix of faults',
      fields: {
        seed: {
          kind: 'integer',
          says: 'Seed; printed at start. Default: taken at random.',
          min: 0,
          max: 4_294_967_295,
        },
        rate: { kind: 'number', says: 'Share of requests that get a fault, 0 to 1.', min: 0, max: 1, required: true },
        kinds: {
          kind: 'list',
          says: 'Faults to draw from. Default: those that a client can see at once (no stall, no slow).',
          of: {
            kind: 'choice',
            says: 'Fault or HTTP status.',
            of: [...FAULT_KINDS, 400, 401, 403, 404, 408, 409, 413, 429, 500, 502, 503, 529],
          },
          min: 1,
        },
      },
    },
  },
} as const

/** A script as written in a file or in code: what model answers when. */
export type ScriptObject = Infer<typeof scriptShape>
/** One turn as written. */
export type TurnObject = Infer<{ kind: 'object'; fields: typeof turnFields }>
/** Tests on a request as written. */
export type ExpectObject = Infer<{ kind: 'object'; fields: typeof expectFields }>
/** A test on a text as written. */
export type TextTest = Infer<typeof textTest>
/** One tool call as written. */
export type ToolCallObject = Infer<{ kind: 'object'; fields: typeof toolCallFields }>
/** Name of a fault. */
export type FaultKind = (typeof FAULT_KINDS)[number]
