/** The seams to the system that can't be tried on every machine: what is read from `/proc` and `ps`, and what Windows is asked. */
import { describe, expect, it } from 'vitest'
import { parsePs, parseStat } from '../../src/supervise/processes.ts'
import { taskkillArgs, taskkillPath } from '../../src/supervise/tree.ts'

describe('parseStat', () => {
  it.each([
    [
      '12 (sleep) S 1 10 11 0 -1 4 5 6 7 8 9 10 11 12 13 14 15 16 777 18',
      { pid: 12, parent: 1, group: 10, session: 11, startTicks: 777, command: 'sleep' },
    ],
    [
      '12 (a) b) (c) R 3 4 5 0 -1 4 5 6 7 8 9 10 11 12 13 14 15 16 777 18',
      { pid: 12, parent: 3, group: 4, session: 5, startTicks: 777, command: 'a) b) (c' },
    ],
    ['12 (sleep) Z 1 10 11 0', null],
    ['12 (sleep) X 1 10 11 0', null],
  ])('reads %s', (line, entry) => {
    expect(parseStat(line)).toEqual(entry)
  })
})

describe('parsePs', () => {
  it('reads the table of macOS and of Linux, and leaves zombies out', () => {
    const table =
      '    1     0     1 Ss   /sbin/launchd\n  402     1   402 S+   node  app.js --x\n  403   402   402 Z    (node)\n  404   402   404 R<sl \n'
    expect(parsePs(table)).toEqual([
      { pid: 1, parent: 0, group: 1, session: 0, startTicks: 0, command: '/sbin/launchd' },
      { pid: 402, parent: 1, group: 402, session: 0, startTicks: 0, command: 'node  app.js --x' },
      { pid: 404, parent: 402, group: 404, session: 0, startTicks: 0, command: '' },
    ])
  })
})

describe('taskkill', () => {
  it('asks politely first, then by force, always for the whole tree', () => {
    expect(taskkillArgs(42, false)).toEqual(['/T', '/PID', '42'])
    expect(taskkillArgs(42, true)).toEqual(['/F', '/T', '/PID', '42'])
  })

  it('is the one of the system, not one that happens to be on PATH', () => {
    expect(taskkillPath({ SystemRoot: 'D:\\Windows' })).toBe('D:\\Windows\\System32\\taskkill.exe')
    expect(taskkillPath({})).toBe('C:\\Windows\\System32\\taskkill.exe')
  })
})
