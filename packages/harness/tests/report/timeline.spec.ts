import { describe, expect, it } from 'vitest'
import { endOf, toTimeline } from '../../src/report/timeline.ts'
import { failedRecord, sampleRecord } from './sample.ts'

const shown = (record: Parameters<typeof toTimeline>[0]) =>
  toTimeline(record).map(
    ({ kind, name, atMs, durationMs }) => `${atMs} ${kind} ${name}${durationMs === null ? '' : ` for ${durationMs}`}`,
  )

describe('a timeline', () => {
  it('tells boot, first agent, turn, steps, tools, requests and exit in order of time', () => {
    expect(shown(sampleRecord())).toEqual([
      '0 boot boot for 600',
      '600 agent first agent',
      '600 turn turn 1 for 500',
      '640 request request 1 to chat for 50',
      '650 step step 1 for 50',
      '750 tool bash',
      '800 step step 2 for 100',
      '1250 exit exit 0',
    ])
  })

  it('ends the boot with the process when no agent came', () => {
    expect(shown(failedRecord())).toEqual(['0 boot boot for 1250', '1250 exit exit 7'])
  })

  it('tells no agent where none was found, and keeps what is open or outside of the run inside it', () => {
    const turn = {
      state: 'failed',
      turn: 1,
      startedMs: 900,
      endedMs: 5_000,
      output: null,
      usage: null,
      tools: [],
      steps: [],
    } as const
    expect(shown(failedRecord({ turns: [{ ...turn, reason: 'one agent expected, found 0' }] }))).toEqual([
      '0 boot boot for 900',
      '900 turn turn 1 (failed) for 350',
      '1250 exit exit 7',
    ])
    const open = { ...turn, state: 'unfinished', endedMs: null, startedMs: -3, reason: null } as const
    expect(shown(failedRecord({ turns: [open] }))).toContain('0 turn turn 1 (unfinished) for 1250')
  })

  it('is empty when nothing was started', () => {
    expect(toTimeline(failedRecord({ durationMs: null }))).toEqual([])
  })

  it.each([
    [{ exitCode: 7 }, 'exit 7'],
    [{ exitCode: null, signal: 'SIGKILL', timedOut: true }, 'deadline, then killed by SIGKILL'],
    [{ exitCode: null }, 'not started'],
  ])('says of %j: %s', (changes, end) => {
    expect(endOf(sampleRecord(changes))).toBe(end)
  })
})
