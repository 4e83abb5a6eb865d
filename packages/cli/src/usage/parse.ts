/** From the words of a call to a command and its flags, by the table. Pure. */
import { parseArgs } from 'node:util'
import { type CommandName, commandOf, commands, type Flag } from './commands.ts'
import { UsageError } from './usage-error.ts'

/** Flags by name: text, number, list, or true. */
export type Flags = Readonly<Record<string, string | number | true | readonly string[] | undefined>>

/** A call that makes sense. */
export type Call =
  | { readonly kind: 'run'; readonly command: CommandName; readonly operands: readonly string[]; readonly flags: Flags }
  | { readonly kind: 'help'; readonly command: CommandName | null }
  | { readonly kind: 'version' }

/**
 * What `words` ask for. No words ask for help.
 * Rejects with UsageError for a command, flag or value that doesn't exist.
 */
export async function parseCall(words: readonly string[]): Promise<Call> {
  const [first, ...rest] = words
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') {
    const about = rest.find((word) => !word.startsWith('-'))
    return { kind: 'help', command: about === undefined ? null : await toCommand(about) }
  }
  if (first === '--version' || first === '-v') return { kind: 'version' }
  const command = await toCommand(first)
  const end = rest.indexOf('--')
  if (rest.slice(0, end === -1 ? undefined : end).some((word) => word === '--help' || word === '-h'))
    return { kind: 'help', command }
  return { kind: 'run', command, ...(await parseWords(command, rest)) }
}

async function toCommand(word: string): Promise<CommandName> {
  const names = Object.keys(commands)
  if (names.includes(word)) return word as CommandName
  const next = word.startsWith('-')
    ? 'begin with a command, for instance `loader-smoke run`'
    : 'see `loader-smoke --help`'
  throw new UsageError(
    `${JSON.stringify(word)} is no command.${await suggestion(word, names)}\nNext: ${next}; commands are ${names.join(', ')}.`,
  )
}

async function parseWords(
  command: CommandName,
  words: readonly string[],
): Promise<{ readonly operands: string[]; readonly flags: Flags }> {
  const rows = commandOf(command).flags
  const { tokens } = parseArgs({
    args: withValues(words, rows),
    options: Object.fromEntries(
      Object.entries(rows).map(([name, row]) => [
        name,
        {
          type: row.value === undefined ? ('boolean' as const) : ('string' as const),
          ...(row.short && { short: row.short }),
        },
      ]),
    ),
    strict: false,
    tokens: true,
  })
  const operands: string[] = []
  const flags: Record<string, string | number | true | string[]> = {}
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value)
    if (token.kind !== 'option') continue
    const row = Object.hasOwn(rows, token.name) ? rows[token.name] : undefined
    if (row === undefined) throw await unknownFlag(command, token.rawName, rows)
    const value = await toValue(token.rawName, row, token.value)
    if (row.many === true)
      flags[token.name] = [
        ...((flags[token.name] as string[] | undefined) ?? []),
        ...String(value).split(row.values ? ',' : '\0'),
      ]
    else if (Object.hasOwn(flags, token.name))
      throw new UsageError(`${token.rawName} is given twice.\nNext: take one of them out.`)
    else flags[token.name] = value
  }
  if (commandOf(command).operands === undefined && operands.length > 0)
    throw new UsageError(
      `${command} takes flags only, got ${JSON.stringify(operands[0])}.\nNext: see \`loader-smoke ${command} --help\`.`,
    )
  return { operands, flags }
}

/** A flag whose value may be left out gets the one that is meant then: the parser would take the next word for it. */
function withValues(words: readonly string[], rows: Readonly<Record<string, Flag>>): string[] {
  return words.map((word) => {
    const alone = word.startsWith('--') ? rows[word.slice(2)]?.alone : undefined
    return alone === undefined ? word : `${word}=${alone}`
  })
}

async function toValue(name: string, row: Flag, value: string | undefined): Promise<string | number | true> {
  if (row.value === undefined) {
    if (value !== undefined)
      throw new UsageError(`${name} takes no value, got ${JSON.stringify(value)}.\nNext: give it alone.`)
    return true
  }
  if (value === undefined || value === '')
    throw new UsageError(`${name} needs a value: ${name} <${row.value}>.\nNext: ${row.says}`)
  const { values, integer } = row
  const given = row.many === true && values !== undefined ? value.split(',') : [value]
  const wrong = values === undefined ? undefined : given.find((one) => !values.includes(one))
  if (wrong !== undefined)
    throw new UsageError(
      `${name} must be ${values?.join(' or ')}, got ${JSON.stringify(wrong)}.${await suggestion(wrong, values ?? [])}\nNext: give one of these.`,
    )
  if (integer === undefined) return value
  const number = /^\d+$/.test(value) ? Number(value) : NaN
  if (!(number >= integer.min && number <= integer.max))
    throw new UsageError(
      `${name} must be an integer from ${integer.min} to ${integer.max}, got ${JSON.stringify(value)}.\nNext: give such a number.`,
    )
  return number
}

async function unknownFlag(
  command: CommandName,
  name: string,
  rows: Readonly<Record<string, Flag>>,
): Promise<UsageError> {
  const known = Object.keys(rows).map((row) => `--${row}`)
  return new UsageError(
    `${name} is no flag of ${command}.${await suggestion(name, known)}\nNext: see \`loader-smoke ${command} --help\`; arguments for the bin go into --args.`,
  )
}

/** The harness' own suggestions, loaded only for a mistake: a call that makes sense starts faster. */
async function suggestion(given: string, names: readonly string[]): Promise<string> {
  const config = await import('@loader-smoke/harness/config')
  return config.suggestion(given, names)
}
