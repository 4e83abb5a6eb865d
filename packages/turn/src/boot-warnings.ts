/** Makes what the loader skips while it boots visible: a patch that names an unknown entry is otherwise dropped in silence. */
import { report } from './report.ts'

/** A record of the context's logger: printf-style arguments. */
interface LogRecord {
  readonly name: string
  readonly type: string
  readonly args: readonly unknown[]
}

/** An agent that the config declares and that was never published. */
interface ConfiguredAgentFailure {
  readonly sessionId: string
  readonly error: unknown
}

/** What `boot` hands to its fourth argument, as far as it is needed here. */
export interface BootContext {
  /** Both `never` here, because a context's own type lists an event only where the package that emits it is imported. */
  on(name: never, listener: never): unknown
  readonly logger: { exporter(exporter: { levels: Record<string, number>; export(record: LogRecord): void }): unknown }
}

/** The level of Cordis' logger that lets errors and warnings through. */
const WARN = 2
/** The names under which the loader's own parts log. */
const LOADER_PARTS = ['loader', 'include', 'group']

/**
 * Sends to the harness, which fails the smoke for it, what a boot keeps to itself: the loader's warnings (a patch that matched nothing),
 * its errors (where the YAML breaks off, which module a plugin lacks: what `boot` throws leaves that out), and an agent that the config
 * declares and that can't be published. Pass it as the fourth argument of `boot`: `boot(name, config, patches, reportBootWarnings)`.
 * Listens as long as the context lives; writes only when the harness set `LOADER_SMOKE_REPORT`.
 * What a plugin logs under its own name is the plugin's matter and is left alone.
 */
export function reportBootWarnings(ctx: BootContext): void {
  const said = new Set<string>()
  // A configured agent starts after `boot` has returned; nothing but this event says why there is none.
  ctx.on('agent-loop/config-start-failed' as never, reportStartFailure as never)
  ctx.logger.exporter({
    levels: { default: WARN },
    export({ name, type, args }) {
      if (!LOADER_PARTS.includes(name) || (type !== 'warn' && type !== 'error')) return
      const message = toText(args)
      // The loader logs an error again for each level of includes that it passes through.
      if (said.has(message)) return
      said.add(message)
      report({ type: 'boot-warning', message })
    },
  })
}

function reportStartFailure({ sessionId, error }: ConfiguredAgentFailure): void {
  const message = `the configured agent of session ${sessionId} did not start: ${quoted(error, 's')}`
  report({ type: 'boot-warning', message })
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
