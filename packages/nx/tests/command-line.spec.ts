import { describe, expect, it } from 'vitest'
import { asksToSee, changesReads } from '../src/plugin/command-line.ts'

describe('changesReads', () => {
  it.each([
    [['nx', 'run', 'example:smoke'], false],
    [['nx', 'run-many', '-t', 'smoke', '--parallel=3'], false],
    [['nx', 'run', 'example:smoke', '--task=hi'], false],
    [['nx', 'run', 'example:smoke', '--configuration=ci'], false],
    [['nx', 'run', 'example:smoke', '-c', 'lib'], false],
    [['nx', 'run', 'example:smoke', '--mode=lib'], true],
    [['nx', 'run', 'example:smoke', '--mode', 'lib'], true],
    [['nx', 'run', 'example:smoke', '--bin=a.ts'], true],
    [['nx', 'run', 'example:smoke', '--args=other.yml'], true],
    [['nx', 'run', 'example:smoke', '--bin-script=a.ts'], true],
    [['nx', 'run', 'example:smoke', '--config', 'a.yml'], true],
    [['nx', 'run', 'example:smoke', '--tsConfig=a.json'], true],
    [['nx', 'run', 'example:smoke', '--model.script=a.yml'], true],
    [['nx', 'run', 'example:smoke', '--envMode=inherit'], true],
    [['nx', 'run', 'example:smoke', '--', '--mode=lib'], true],
  ])('%j: %s', (argv, changes) => {
    expect(changesReads(argv)).toBe(changes)
  })
})

describe('asksToSee', () => {
  it.each([
    [['nx', 'run', 'example:smoke'], false],
    [['nx', 'run', 'example:smoke', '--no-stream'], false],
    [['nx', 'run', 'example:smoke', '--stream=false'], false],
    [['nx', 'run-many', '-t', 'smoke', '--output-style=stream'], false],
    [['nx', 'run', 'example:smoke', '--stream'], true],
    [['nx', 'run', 'example:smoke', '--stream=true'], true],
    [['nx', 'run', 'example:smoke', '--', '--stream'], true],
  ])('%j: %s', (argv, asks) => {
    expect(asksToSee(argv)).toBe(asks)
  })
})
