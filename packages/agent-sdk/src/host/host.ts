/** What an agent may ask of the program that embeds it. An agent touches no process, file or browser by itself. */
import type { HostProcess } from './process.ts'

/** How a program is started. */
export interface SpawnOptions {
  /** Added to the environment that the host gives to programs; the host decides what that holds. */
  readonly env?: Readonly<Record<string, string>>
  /** Absolute path; the host's own folder when absent. */
  readonly cwd?: string
}

/** Where a program is. */
export interface Located {
  /** As found on the PATH. */
  readonly path: string
  /** With links resolved. */
  readonly realPath: string
}

/** A call of a tool that the host offered to a session. */
export interface ToolRequest {
  readonly agentId: string
  readonly sessionId: string
  readonly name: string
  readonly input: unknown
  readonly callId: string
}

/** What a tool answers to the model. */
export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[]
}

/** The host. Read its members at the time of the call: a host may replace them. */
export interface HostApi {
  readonly process: {
    /**
     * Starts `program`, found on the PATH. The host owns the process and ends it when it ends itself, however that happens.
     * Rejects when the program can't be started. A `CODEX_HOME`-like folder named in `env` is the host's to create.
     */
    spawn(program: string, args: readonly string[], options: SpawnOptions): Promise<HostProcess>
    /** Resolves with `null` when `program` is not on the PATH. */
    which(program: string): Promise<Located | null>
  }
  readonly tools: {
    /** Rejects when the tool is unknown or fails; the message goes to the model. */
    call(request: ToolRequest): Promise<ToolResult>
  }
  /** Opens a page in the user's browser. `reason` says why it was not opened. */
  openUrl(url: string): Promise<{ readonly opened: boolean; readonly reason?: string }>
}
