/** The help texts, from the table. Pure. */
import { type Command, type CommandName, commandOf, commands, type Flag } from './commands.ts'

/** The help of everything, or of one command; ends with a newline. */
export function helpText(command: CommandName | null, version: string): string {
  return command === null ? overview(version) : commandHelp(command)
}

const EXIT_CODES = [
  ['0', 'every smoke passed'],
  ['1', 'a smoke failed'],
  ['2', 'the call, a config or a missing file is wrong; nothing was judged'],
  ['3', 'an error of the machine or of loader-smoke itself'],
  ['130, 143', 'interrupted by INT or TERM'],
] as const

function overview(version: string): string {
  const rows = Object.entries<Command>(commands).map(
    ([name, { says, ...rest }]) => [`${name}${operandsOf(rest)}`, says] as const,
  )
  return [
    `loader-smoke ${version}: boots agent apps from their real entry points, without a key, and judges what they did.`,
    '',
    'Usage: loader-smoke <command> [flags]',
    '',
    ...columns(rows),
    '',
    'loader-smoke <command> --help tells its flags.',
    '',
    'Exit codes:',
    ...columns(EXIT_CODES),
    '',
  ].join('\n')
}

function commandHelp(name: CommandName): string {
  const { says, flags, ...rest } = commandOf(name)
  const rows = Object.entries(flags).map(([flag, row]) => [flagUsage(flag, row), flagText(row)] as const)
  return [
    `Usage: loader-smoke ${name}${rows.length > 0 ? ' [flags]' : ''}${operandsOf(rest)}`,
    '',
    says,
    ...(rows.length > 0 ? ['', ...columns(rows)] : []),
    ...(name === 'run' ? ['', 'Exit codes:', ...columns(EXIT_CODES)] : []),
    '',
  ].join('\n')
}

function operandsOf({ operands }: { readonly operands?: string }): string {
  return operands === undefined ? '' : ` ${operands}`
}

function flagUsage(name: string, { value, short, alone }: Flag): string {
  const long =
    value === undefined ? `--${name}` : alone === undefined ? `--${name} <${value}>` : `--${name}[=<${value}>]`
  return short === undefined ? long : `-${short}, ${long}`
}

function flagText({ says, values, many }: Flag): string {
  const allowed = values === undefined ? '' : ` One of: ${values.join(', ')}.`
  return `${says}${allowed}${many === true ? ' May be repeated.' : ''}`
}

/** Two columns, the second wrapped at 100 characters. */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows.flatMap(([first, second]) => {
    const [line = '', ...more] = wrap(second, 96 - width)
    return [`  ${first.padEnd(width)}  ${line}`, ...more.map((rest) => `  ${''.padEnd(width)}  ${rest}`)]
  })
}

function wrap(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}
