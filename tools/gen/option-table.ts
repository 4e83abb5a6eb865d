/** The tables of options in the READMEs, from the table of options. Pure. */
import type { OptionRow } from '@loader-smoke/harness/options'
import type { Rows } from './executor-schema.ts'

/** For whom a table is: who writes a test, who declares a target, or both. */
export type Reader = 'code' | 'declared' | 'both'

const KIND: Readonly<Record<OptionRow['kind'], string>> = {
  text: 'text',
  path: 'path',
  choice: '',
  signalName: 'signal name',
  input: 'text or bytes',
  integer: 'integer',
  flag: '`true`, `false`',
  strings: 'list of texts',
  environment: 'names and values',
  folders: 'names and folders',
  secrets: 'list of texts and patterns',
  model: '`{ script }` or `{ recording }`',
  turn: "`'required'`, `'optional'` or `{ output }`",
  expect: 'object',
  hook: 'function of the folder',
  listener: 'function of the stream and the text',
  abort: 'AbortSignal',
  services: 'list of `{ start }`',
  rerun: '`{ argv, env? }`',
}

/** A markdown table of the rows that concern `reader`. */
export function toOptionTable(rows: Rows, reader: Reader): string {
  const shown = Object.entries(rows).filter(([, row]) => {
    if (row.declared?.priority === 'internal' && reader !== 'code') return false
    return reader === 'both' || row.only === undefined || row.only === reader
  })
  const lines = shown.map(([name, row]) => {
    return `| ${nameOf(name, row, reader)} | ${kindOf(row)} | ${defaultOf(row, reader)} | ${row.says.replaceAll('|', '\\|')} |`
  })
  return ['| Option | Kind | Default | What it sets |', '| --- | --- | --- | --- |', ...lines].join('\n')
}

function nameOf(name: string, { declared, only }: OptionRow, reader: Reader): string {
  const aliases = reader === 'code' ? [] : (declared?.aliases ?? [])
  const names = [name, ...aliases].map((each) => `\`${each}\``).join(', ')
  const where = reader !== 'both' || only === undefined ? '' : only === 'code' ? ' (in code)' : ' (in a target)'
  return names + where
}

function kindOf({ kind, values, min, max, unit }: OptionRow): string {
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ')
  if (kind !== 'integer') return KIND[kind]
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `${min} to ${max}`
  return unit === undefined ? range : `${unit}, ${range}`
}

function defaultOf(row: OptionRow, reader: Reader): string {
  const { required, declared } = row
  const inCode = required ? 'required' : shown(row.default)
  const inTarget = declared?.filledIn
    ? '`<project>:<target>`'
    : required
      ? 'required'
      : shown(declared?.default ?? row.default)
  if (reader === 'code') return inCode
  if (reader === 'declared' || inCode === inTarget || row.only === 'declared') return inTarget
  return row.only === 'code' ? inCode : `${inCode}; in a target ${inTarget}`
}

function shown(value: string | number | undefined): string {
  return value === undefined ? '' : `\`${value}\``
}
