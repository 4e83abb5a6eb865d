import { describe, expect, it } from 'vitest'
import { perlCandidates } from '../../src/supervise/perl.ts'
import { shortfallOf } from '../../src/supervise/shortfall.ts'

describe('a perl is looked for', () => {
  it.each([
    [undefined, ['/usr/bin/perl', '/usr/local/bin/perl']],
    ['', ['/usr/bin/perl', '/usr/local/bin/perl']],
    ['/opt/bin:/usr/local/bin', ['/opt/bin/perl', '/usr/local/bin/perl', '/usr/bin/perl']],
    // What is in the working folder is no tool of the system.
    ['.:bin::/nix/bin/', ['/nix/bin/perl', '/usr/bin/perl', '/usr/local/bin/perl']],
  ])('on PATH, then where systems have it: %j', (path, candidates) => {
    expect(perlCandidates(path)).toEqual(candidates)
  })
})

describe('a level below the best of the platform', () => {
  it.each([
    ['group+sweep', 'leaves its session and clears its environment'],
    ['group', 'leaves its session'],
  ] as const)('says what %s misses and what closes the gap', (level, missed) => {
    expect(shortfallOf(level, 'linux', 'x64')).toBe(
      `containment was '${level}', so a process that ${missed} may still run; install perl (perl-base is enough), and all are ended.`,
    )
  })

  it.each([
    ['subreaper', 'linux', 'x64'],
    ['group', 'darwin', 'arm64'],
    ['tree', 'win32', 'x64'],
    // perl would be no help there: the numbers of its system calls are not known.
    ['group+sweep', 'linux', 'riscv64'],
  ] as const)('is not %s on %s %s', (level, platform, arch) => {
    expect(shortfallOf(level, platform, arch)).toBeNull()
  })
})
