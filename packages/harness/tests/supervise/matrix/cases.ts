/** The matrix: which fixtures meet which endings at which level, and what each level promises. */
import type { ContainmentLevel } from '../../../src/supervise/types.ts'
import { type EndingName, endings } from './run-case.ts'

export const fixtures = [
  'well-behaved',
  'holds-stdout',
  'setsid-child',
  'setsid-orphan',
  'double-fork-daemon',
  'ignores-term',
  'stopped-tree',
  'chain-same-session',
  'chain-new-sessions',
  'respawners',
  'cleared-daemon',
  'cleared-stdout',
  'writes-in-world',
] as const
export type FixtureName = (typeof fixtures)[number]
export type Level = Exclude<ContainmentLevel, 'tree'>
export const levels: readonly Level[] = ['subreaper', 'group+sweep', 'group']

/** One cell of the matrix. */
export interface Case {
  readonly level: Level
  readonly fixture: FixtureName
  readonly ending: EndingName
}

/** `contained`: nothing is left · `escapes`: a known limit · `may escape`: found by chance, promised neither way. */
export type Promised = 'contained' | 'escapes' | 'may escape'

const escapes: Readonly<Record<Level, Partial<Record<FixtureName, Promised>>>> = {
  subreaper: {},
  'group+sweep': {
    'chain-new-sessions': 'may escape',
    respawners: 'may escape',
    'cleared-daemon': 'escapes',
    'cleared-stdout': 'escapes',
  },
  group: {
    'setsid-child': 'escapes',
    'setsid-orphan': 'escapes',
    'double-fork-daemon': 'escapes',
    'chain-new-sessions': 'may escape',
    respawners: 'escapes',
    'cleared-daemon': 'escapes',
    'cleared-stdout': 'escapes',
  },
}

export function promised({ level, fixture }: Case): Promised {
  return escapes[level][fixture] ?? 'contained'
}

/** Every cell, or with `full: false` as many as fit an ordinary test run: all fixtures with the endings that differ most, all endings with a few fixtures. */
export function cases({ full }: { readonly full: boolean }): Case[] {
  return levels.flatMap((level) =>
    fixtures.flatMap((fixture) =>
      endings
        .filter((ending) => level === 'subreaper' || ending !== 'helper SIGKILL')
        // What escapes there writes on: the folder then stays or not, as it happens.
        .filter(() => level !== 'group' || fixture !== 'writes-in-world')
        .filter((ending) => full || isTypical({ level, fixture, ending }))
        .map((ending): Case => ({ level, fixture, ending })),
    ),
  )
}

const typicalFixtures: readonly FixtureName[] = ['setsid-orphan', 'ignores-term', 'cleared-daemon']
const typicalEndings: readonly EndingName[] = ['exit', 'deadline', 'runner SIGKILL']

function isTypical({ level, fixture, ending }: Case): boolean {
  const named = typicalFixtures.includes(fixture)
  return level === 'subreaper' ? named || typicalEndings.includes(ending) : named && typicalEndings.includes(ending)
}
