import { describe, expect, it } from 'vitest'
import { parseProcesses, turboAbove } from '../../src/turbo/runner-death.ts'

const listed = parseProcesses(`
    1     0 systemd
  100     1 node
  110   100 /repo/node_modules/turbo-linux-64/bin/turbo
  120   110 npm run smoke
  130   120 sh
  140   130 node
  200     1 turbo
`)

describe('the turbo above a process', () => {
  it.each([
    [140, 110],
    [120, 110],
    [110, undefined],
    [100, undefined],
    [999, undefined],
  ])('of %i is %s', (pid, expected) => {
    expect(turboAbove(pid, listed)).toBe(expected)
  })

  it('is none where parents go round', () => {
    const round = [
      { pid: 1, parent: 2, command: 'a' },
      { pid: 2, parent: 1, command: 'b' },
    ]
    expect(turboAbove(1, round)).toBeUndefined()
  })
})
