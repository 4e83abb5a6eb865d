/** What the options of a smoke are called where a person wrote them: a message names what stands there. Pure. */

/** One option as it is written. */
export interface WrittenName {
  /** The path to it: `fixtures[1].bin`, `--timeout`. */
  readonly name: string
  /** The file or target that it stands in; empty where the name says it. */
  readonly place: string
}

/** Own name of an option → how it is written. One that is not in it is written under its own name. */
export type WrittenNames = ReadonlyMap<string, WrittenName>

/** In code every option has its own name, and the stack says where. */
export const IN_CODE: WrittenNames = new Map()

/** Nobody wrote the TypeScript project down: it was found. */
export function withNearestTsconfig(names: WrittenNames): WrittenNames {
  return new Map([...names, ['tsconfigPath', { name: 'the nearest tsConfig', place: '' }]])
}

/** The option as it is written, for the middle of a message. */
export function nameOf(option: string, names: WrittenNames): string {
  return names.get(option)?.name ?? option
}

/** The option as it is written and where, for the beginning of a message. */
export function writtenAs(option: string, names: WrittenNames): string {
  const { name, place } = names.get(option) ?? { name: option, place: '' }
  return place === '' ? name : `${place}: ${name}`
}
