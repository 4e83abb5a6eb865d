/** What the person who set up a task wrote: Nx hands over each option under its own name, whichever name it was given by. Pure. */
import type { WrittenName, WrittenNames } from '@loader-smoke/harness/config'
import { aliasesOf, type GivenOptions, optionNames } from './names.ts'

/** One place where options of a task are written, as it stands there. */
export interface Writing {
  readonly given: GivenOptions | undefined
  /** What stands before each name: `--` on the command line. */
  readonly prefix: '--' | ''
  /** The target; empty for the command line. */
  readonly place: string
}

/** How each option was written, by the first of `writings` that has it under any of its names. */
export function writtenNames(writings: readonly Writing[]): WrittenNames {
  return new Map(
    optionNames.flatMap((option) => {
      const written = writings.flatMap((writing) => nameIn(writing, option) ?? [])[0]
      return written === undefined ? [] : [[option, written] as const]
    }),
  )
}

/** Where an option stands under its name and an alias, the name wins: see `withoutAliases`. */
function nameIn({ given, prefix, place }: Writing, option: string): WrittenName | undefined {
  const name = [option, ...aliasesOf(option)].find((name) => given?.[name] !== undefined)
  return name === undefined ? undefined : { name: `${prefix}${name}`, place }
}
