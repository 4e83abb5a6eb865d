/** A host without processes, browser or tools: every one of them is a function of the test. */
import type { HostApi, Located, SpawnOptions, ToolResult } from '../host/host.ts'
import type { HostProcess } from '../host/process.ts'
import { FakePeer, type PeerScript } from './fake-peer.ts'

/** Answers a call to the host, or throws. */
export type HostScript = (method: string, params: Record<string, unknown>) => unknown

/** What a fake host does. */
export interface FakeApiOptions {
  /** The script of a program that the agent starts; an Error makes the start fail with it. */
  readonly onSpawn: (program: string) => PeerScript | Error
  /** Answers `host/process.which`, `host/tools.call` and `host/openUrl`. Without it nothing is found and tools answer nothing. */
  readonly onHost?: HostScript | undefined
}

/** A call that the agent made to the host. */
export interface HostCall {
  readonly method: string
  readonly params: Record<string, unknown>
}

/** A fake host. Its members may be replaced. */
export interface FakeApi extends HostApi {
  process: {
    spawn(program: string, args: readonly string[], options: SpawnOptions): Promise<HostProcess>
    which(program: string): Promise<Located | null>
  }
  openUrl: HostApi['openUrl']
  /** Every program that was started, in order. */
  readonly peers: FakePeer[]
  readonly hostCalls: HostCall[]
}

/** Makes a fake host. */
export function fakeApi({ onSpawn, onHost = () => ({}) }: FakeApiOptions): FakeApi {
  const peers: FakePeer[] = []
  const hostCalls: HostCall[] = []
  // Async: a script that throws becomes a rejection, as a host's failure would be.
  const ask = async (method: string, params: object): Promise<Record<string, unknown>> => {
    const call: HostCall = { method, params: { ...params } }
    hostCalls.push(call)
    const answer = await onHost(call.method, call.params)
    return typeof answer === 'object' && answer !== null ? { ...answer } : {}
  }
  return {
    peers,
    hostCalls,
    process: {
      async spawn(program, args, options) {
        const script = onSpawn(program)
        if (script instanceof Error) throw script
        const peer = new FakePeer(program, args, options, script)
        peers.push(peer)
        return peer.process
      },
      async which(program) {
        const { path, realPath } = await ask('host/process.which', { program })
        return typeof path === 'string' && typeof realPath === 'string' ? { path, realPath } : null
      },
    },
    tools: {
      async call(request) {
        const { content } = await ask('host/tools.call', request)
        return { content: Array.isArray(content) ? content : [] } satisfies ToolResult
      },
    },
    async openUrl(url) {
      const { opened, reason } = await ask('host/openUrl', { url })
      return { opened: opened !== false, ...(typeof reason === 'string' ? { reason } : {}) }
    },
  }
}
