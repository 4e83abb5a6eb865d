/** The shape of `report.json`, as a schema that JSON is checked against. Version 1. */
import type { SmokeReport } from '@loader-smoke/harness/report'
import { z } from 'zod'

const relativeMs = z.number().nullable().describe('Milliseconds from the start of the bin.')
const usage = z
  .strictObject({
    inputTokens: z.number(),
    outputTokens: z.number(),
    cacheReadTokens: z.number().exactOptional(),
    cacheWriteTokens: z.number().exactOptional(),
    reasoningTokens: z.number().exactOptional(),
  })
  .nullable()

const stream = z.strictObject({
  text: z.string(),
  bytes: z.number().int().describe('Of the whole stream.'),
  truncated: z.boolean().describe('The text is head and tail.'),
})

const turn = z.strictObject({
  state: z.enum(['ended', 'failed', 'unfinished']),
  turn: z.number().int(),
  startedMs: relativeMs,
  endedMs: relativeMs,
  output: z.string().nullable(),
  reason: z.string().nullable().describe('Why it did not end well.'),
  usage,
  tools: z.array(z.strictObject({ name: z.string(), atMs: relativeMs })),
  steps: z.array(z.strictObject({ step: z.number().int(), startedMs: relativeMs, endedMs: relativeMs, usage })),
})

const request = z.strictObject({
  number: z.number().int(),
  model: z.string().nullable(),
  status: z.number().nullable(),
  outcome: z.string(),
  startedMs: relativeMs,
  durationMs: z.number().nullable(),
  inputTokens: z.number(),
  outputTokens: z.number(),
})

const smoke = z.strictObject({
  label: z.string(),
  mode: z.enum(['src', 'lib']),
  verdict: z.enum(['pass', 'fail', 'error']).describe('fail is the fixture’s fault, error ours or the caller’s.'),
  reasons: z
    .array(z.strictObject({ check: z.string(), line: z.string() }))
    .describe('Empty when it passed; the first is the most telling.'),
  next: z.array(z.string()).describe('What to do next.'),
  rerun: z.string().nullable().describe('The shell command that runs it again.'),
  location: z
    .strictObject({ file: z.string(), line: z.number().int().nullable(), column: z.number().int().nullable() })
    .nullable(),
  keptWorld: z.string().nullable().describe('The folder of the run, when it was kept.'),
  startedAtMs: z.number().nullable().describe('Since the epoch; null when nothing was started.'),
  durationMs: z.number().nullable(),
  deadlineMs: z.number(),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
  overflowed: z.enum(['stdout', 'stderr']).nullable(),
  containment: z.enum(['subreaper', 'group+sweep', 'group', 'tree']).nullable(),
  command: z.array(z.string()),
  envNames: z.array(z.string()).describe('Names of the bin’s environment; a value is never stored.'),
  turns: z.array(turn),
  requests: z.array(request).describe('Requests to the model server of the run, where it has one.'),
  bootWarnings: z.array(z.string()),
  survivors: z.array(z.strictObject({ pid: z.number().int(), command: z.string() })),
  stdout: stream,
  stderr: stream,
})

/** A whole report. Strict, so that a field that is not described here is noticed. */
export const reportSchema = z
  .strictObject({
    version: z
      .literal(1)
      .describe('Raised when a field is renamed, removed or means something else; new fields don’t raise it.'),
    tool: z.strictObject({ name: z.string(), version: z.string() }),
    machine: z.strictObject({ node: z.string(), platform: z.string() }),
    startedAtMs: z.number().describe('Since the epoch, in milliseconds.'),
    durationMs: z.number(),
    smokes: z.array(smoke),
  })
  .describe('All smokes of one call of loader-smoke.') satisfies z.ZodType<SmokeReport>

/** The published schema. It allows further fields: a reader of version 1 must not stumble over new ones. */
export function toReportSchema(): object {
  const schema = z.toJSONSchema(reportSchema, { target: 'draft-7', io: 'input' })
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === 'additionalProperties' ? undefined : value,
  ) as object
}
