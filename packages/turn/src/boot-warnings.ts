/** Makes what the loader skips while it boots visible: a patch that names an unknown entry is otherwise dropped in silence. */
import { report } from './report.ts'

/** A record of the context's logger: printf-style arguments. */
interface LogRecord {
  readonly name: string
  readonly type: string
  readonly args: readonly unknown[]
}

/** What `boot` hands to its fourth argument, as far as it is needed here. */
export interface BootContext {
  readonly logger: { exporter(exporter: { levels: Record<string, number>; export(record: LogRecord): void }): unknown }
}

/** The level of Cordis' logger that lets errors and warnings through. */
const WARN = 2

/**
 * Sends the loader's warnings to the harness, which fails the smoke for them. Pass it as the fourth argument of `boot`:
 * `boot(name, config, patches, reportBootWarnings)`. Listens as long as the context lives; writes only when the harness set
 * `LOADER_SMOKE_REPORT`. Warnings that a plugin logs under its own name are the plugin's matter and are left alone.
 */
export function reportBootWarnings(ctx: BootContext): void {
  ctx.logger.exporter({
    levels: { default: 0, loader: WARN },
    export(record) {
      if (record.type === 'warn' && record.name === 'loader')
        report({ type: 'boot-warning', message: toText(record.args) })
    },
  })
}

function toText([format, ...rest]: readonly unknown[]): string {
  const args = [...rest]
  const text =
    typeof format === 'string'
      ? format.replace(/%([a-zA-Z%])/g, (whole, letter: string) =>
          letter === '%' ? '%' : args.length === 0 ? whole : quoted(args.shift(), letter),
        )
      : quoted(format, 'o')
  return [text, ...args.map((arg) => quoted(arg, 'o'))].join(' ')
}

function quoted(value: unknown, letter: string): string {
  if (value instanceof Error) return value.message
  // `%C` marks a name that a terminal would colour.
  if (letter === 'C') return JSON.stringify(String(value))
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
}
