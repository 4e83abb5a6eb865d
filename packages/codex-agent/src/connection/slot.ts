/** Keeps at most one app-server running: started when first needed, and again after it is gone. */
import type { HostApi, ProcessExit } from '@loader-smoke/agent-sdk'
import { type AppServer, type AppServerHandlers, type Client, handshake, spawnAppServer } from './app-server.ts'

/** The place of one account's app-server. */
export class AppServerSlot {
  /** `null` while none runs. */
  current: AppServer | null = null
  #client: Promise<Client> | null = null
  /** The end of the one before: two servers must not write into one CODEX_HOME. */
  #leaving: Promise<ProcessExit | null> = Promise.resolve(null)
  readonly #host: HostApi
  readonly #home: string
  readonly #handlers: AppServerHandlers

  constructor(host: HostApi, home: string, handlers: AppServerHandlers) {
    this.#host = host
    this.#home = home
    this.#handlers = handlers
  }

  /** The client of the running app-server, which is started when none runs. Callers at the same time share one start. */
  client(): Promise<Client> {
    if (this.#client !== null) return this.#client
    const client = this.#start()
    this.#client = client
    client.catch(() => {
      // The callers hear of it; here only the next call has to start afresh.
      if (this.#client === client) this.#forget()
    })
    return client
  }

  /** Ends the app-server and resolves when it is gone. The next {@link client} starts another. */
  async stop(): Promise<void> {
    const { current } = this
    if (current !== null) {
      this.#lose(current)
      current.connection.close('the codex app-server was stopped')
    }
    await this.#leaving
  }

  async #start(): Promise<Client> {
    await this.#leaving
    let ready = false
    const server = await spawnAppServer(this.#host, this.#home, {
      ...this.#handlers,
      // A server that never became ready has no runs to fail: whoever started it hears why.
      onGone: () => {
        if (ready) this.#lose(server)
      },
    })
    this.current = server
    const client = await handshake(server)
    ready = true
    return client
  }

  #lose(server: AppServer): void {
    if (this.current !== server) return
    this.#forget()
    this.#handlers.onGone()
  }

  #forget(): void {
    const server = this.current
    this.current = null
    this.#client = null
    if (server !== null) this.#leaving = server.process.stop().catch(() => null)
  }
}
