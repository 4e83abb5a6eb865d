/**
 * What the Codex agent costs per message: bytes of the app-server's output to events, against `JSON.parse` alone of the same lines, which are
 * already cut; and the memory that a million deltas leave behind.
 */
import { randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { connect, type HostApi } from '@loader-smoke/agent-sdk'
import { CodexAgent, newSession } from '../../packages/codex-agent/src/agent.ts'
import { measurePair, type Row } from '../measure/paired.ts'

const LINES = 100_000
const CHUNK_BYTES = 64 * 1024
const [sessionId, turnId] = [randomUUID(), randomUUID()]

/** One row after another, as they are measured. */
export async function* rows(): AsyncGenerator<Row> {
  for (const [name, line] of [
    ['deltas', delta],
    ['a turn’s mixture', mixed],
  ] as const) {
    const lines = Array.from({ length: LINES }, (_, index) => JSON.stringify(line(index)))
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    yield measurePair(
      {
        bench: `${LINES} notifications routed over JSON.parse, ${name}`,
        unit: 'ms cpu',
        ours: async () => cpuOf(() => route(bytes)),
        other: async () =>
          cpuOf(() => {
            for (const text of lines) JSON.parse(text)
          }),
      },
      11,
    )
  }
  yield measurePair(
    {
      bench: 'heap after 1,000,000 deltas over 100,000',
      unit: 'bytes',
      ours: async () => heapAfter(1_000_000),
      other: async () => heapAfter(100_000),
    },
    3,
  )
}

/** Milliseconds of this process' own time: what else the machine does doesn't count. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** Feeds what a pipe would deliver; every event is built and handed out. */
function route(bytes: Buffer): void {
  const { stdout, told } = wire()
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) stdout.emit('data', bytes.subarray(at, at + CHUNK_BYTES))
  if (told() < LINES / 2) throw new Error(`${told()} events came of ${LINES} notifications; most of them make one`)
}

/** Heap in bytes that is left after `count` deltas of one message, with the agent still alive. */
function heapAfter(count: number): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const { stdout, agent } = wire()
  for (let index = 0; index < count; index++) stdout.emit('data', Buffer.from(`${JSON.stringify(delta(index))}\n`))
  collect()
  const bytes = process.memoryUsage().heapUsed
  agent.finishRun(sessionId, { status: 'completed' })
  return bytes
}

function wire() {
  const host: HostApi = {
    process: {
      spawn: () => Promise.reject(new Error('nothing is started here')),
      which: async () => null,
    },
    tools: { call: async () => ({ content: [] }) },
    openUrl: async () => ({ opened: false }),
  }
  const agent = new CodexAgent({ host, env: { HOME: '/' } })
  const state = newSession('/')
  state.run = 'run'
  state.turn = turnId
  agent.sessions.set(sessionId, state)
  let events = 0
  agent.emit = () => {
    events++
  }
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  connect(
    { stdin, stdout },
    { onNotification: (method, params) => agent.onNotification(method, Object(params)), onRequest() {} },
  )
  return { agent, stdout, told: () => events }
}

function delta(index: number): object {
  const params = { threadId: sessionId, turnId, itemId: 'msg_1', delta: ` word${index % 97}` }
  return { method: 'item/agentMessage/delta', params, emittedAtMs: 1_796_046_784_857 + index }
}

/** Of ten notifications six are text, two are output, and the others open and close a command. */
function mixed(index: number): object {
  const place = { threadId: sessionId, turnId }
  const at = index % 10
  if (at < 6) return delta(index)
  const id = `call_${Math.floor(index / 10)}`
  const emittedAtMs = 1_796_046_784_857 + index
  if (at === 7 || at === 8)
    return {
      method: 'item/commandExecution/outputDelta',
      params: { ...place, itemId: id, delta: 'output\n'.repeat(8) },
      emittedAtMs,
    }
  const item = {
    type: 'commandExecution',
    id,
    command: "/bin/bash -lc 'ls -la'",
    cwd: '/work',
    processId: null,
    source: 'agent',
    status: at === 6 ? 'inProgress' : 'completed',
    commandActions: [{ type: 'listFiles', command: 'ls -la', path: '/work' }],
    aggregatedOutput: at === 6 ? null : 'output\n'.repeat(16),
    exitCode: at === 6 ? null : 0,
    durationMs: null,
  }
  return { method: at === 6 ? 'item/started' : 'item/completed', params: { ...place, item }, emittedAtMs }
}
