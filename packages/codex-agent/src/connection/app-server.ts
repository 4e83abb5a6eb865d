/** One running app-server: its process, the connection to it, and the handshake. */
import {
  type Connection,
  connect,
  type HostApi,
  type HostProcess,
  type IncomingRequest,
  keepTail,
  redact,
} from '@loader-smoke/agent-sdk'
import type { Requests } from '../wire/generated/methods.ts'
import type { Answer } from '../wire/messages.ts'
import { CodexError, messageOf } from './errors.ts'
import { versionOf } from './version.ts'

/** What requests go through; one per running app-server. */
export interface Client {
  /** `null` when the CLI did not tell. */
  readonly version: string | null
  /** Resolves with the server's answer; rejects with `RefusedError` or `ClosedError`, whose message begins with `<method> failed: `. */
  request<Method extends keyof Requests>(method: Method, params: Requests[Method]['params']): Promise<Answer<Method>>
}

/** A running app-server. */
export interface AppServer {
  readonly process: HostProcess
  readonly connection: Connection
}

/** What an app-server tells. */
export interface AppServerHandlers {
  onNotification(method: string, params: unknown): void
  onRequest(request: IncomingRequest): void
  /** The app-server ended, or can't be talked to any more. Called once, before the connection fails its requests. */
  onGone(): void
}

const stderrTailBytes = 2_000
const clientInfo = { name: 'convergence', title: 'Loader Smoke', version: '0.1.0' }

/** Starts `codex app-server` with its state in `home`. Rejects with {@link CodexError} `spawn`. */
export async function spawnAppServer(
  host: HostApi,
  home: string,
  handlers: AppServerHandlers,
): Promise<AppServer & { readonly stderr: { text(): string } }> {
  const process = await host.process.spawn('codex', ['app-server'], { env: { CODEX_HOME: home } }).catch((cause) => {
    throw new CodexError({ stage: 'spawn', reason: messageOf(cause), cause })
  })
  const stderr = keepTail(process.stderr, stderrTailBytes)
  let gone = false
  const leave = () => {
    if (gone) return
    gone = true
    handlers.onGone()
    connection.close('the codex app-server exited')
  }
  const connection = connect(process, { ...handlers, onBroken: leave })
  void process.exited.then(leave)
  return { process, connection, stderr }
}

/**
 * Introduces this client. Rejects with {@link CodexError} `initialize`; when the program ended first, with its exit and the end of
 * its stderr: at this stage neither prompt nor answer exists that could be in it.
 */
export async function handshake(server: AppServer & { readonly stderr: { text(): string } }): Promise<Client> {
  const { connection, process, stderr } = server
  const request: Client['request'] = async (method, params) =>
    // What comes back is only ever read through `Answer`, whose every field may be missing: no shape is promised here.
    ((await connection.request(method, params)) ?? {}) as Answer<typeof method>
  const answer = await request('initialize', {
    clientInfo,
    capabilities: { experimentalApi: true, requestAttestation: false },
  }).catch(async (cause) => {
    if (connection.closeReason === null) throw new CodexError({ stage: 'initialize', reason: messageOf(cause), cause })
    const { code, signal } = await process.exited
    const reason = `it ended ${code === null ? `by ${signal ?? 'a signal'}` : `with exit code ${code}`} before it had answered`
    const stderrTail = redact(stderr.text()).trim()
    throw new CodexError({ stage: 'initialize', reason, exitCode: code, signal, stderrTail, cause })
  })
  connection.notify('initialized')
  return { version: versionOf(answer.userAgent), request }
}
