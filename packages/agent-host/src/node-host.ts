/** The real host of agents on Node: programs run supervised, so that none outlives this process, however it ends. */
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { delimiter } from 'node:path'
import type { HostApi, HostProcess, HostTool, Located, SpawnOptions, ToolResult } from '@loader-smoke/agent-sdk'
import { type Ending, supervise } from '@loader-smoke/harness/supervise'
import { toArgv } from './host/command.ts'
import { openUrl } from './host/open-url.ts'
import { programEnv } from './host/program-env.ts'
import { fileNames, locate } from './host/program-folders.ts'

/** A tool of the app that agents may call. */
export interface HostToolImplementation extends HostTool {
  /** Rejects when it fails; the message goes to the model. */
  call(input: unknown, place: { readonly sessionId: string; readonly callId: string }): Promise<ToolResult>
}

/** Options of {@link nodeHost}. */
export interface NodeHostOptions {
  /** Where programs run unless the agent says otherwise. Default: the current folder. */
  readonly cwd?: string
  /** What programs get over the inherited environment; `null` removes a name. */
  readonly env?: Readonly<Record<string, string | null>>
  /** Absolute paths of folders searched before PATH. Default: none. */
  readonly programFolders?: readonly string[]
  /** Time between TERM and KILL, in milliseconds. Default: 2,000. */
  readonly graceMs?: number
  /** Tools of the app. Default: none. */
  readonly tools?: readonly HostToolImplementation[]
}

/**
 * A host whose programs are started through the harness' supervision: `stop` ends the whole process tree, and a helper process ends
 * it when this process dies without having done so, also by SIGKILL. Folders that an agent names in `*_HOME` are created, private.
 */
export function nodeHost({
  cwd = process.cwd(),
  env = {},
  programFolders = [],
  graceMs = 2_000,
  tools = [],
}: NodeHostOptions = {}): HostApi {
  const find = (program: string): Located | null => {
    const { PATH, Path, PATHEXT } = programEnv(process.env, env)
    const folders = [...programFolders, ...(PATH ?? Path ?? '').split(delimiter)]
    return locate(program, folders, fileNames(program, process.platform, PATHEXT))
  }
  return {
    process: {
      which: async (program) => find(program),
      async spawn(program, args, options) {
        const located = find(program)
        if (located === null)
          throw new Error(
            `${program} is not on the PATH, nor in a node_modules/.bin of the app. Next: install it, or add its folder to PATH.`,
          )
        await createHomes(options)
        const { platform, execPath: node } = process
        const { pid, stdin, stdout, stderr, ended, stop } = await supervise({
          argv: toArgv(located, args, { platform, node, read: readText }),
          cwd: options.cwd ?? cwd,
          env: programEnv(process.env, env, options.env ?? {}),
          stdio: 'pipe',
          graceMs,
        })
        if (stdin === null || stdout === null || stderr === null)
          throw new Error(`${program} was started without pipes; stdio 'pipe' was asked for`)
        return {
          pid,
          stdin,
          stdout,
          stderr,
          exited: ended.then(toExit, lost),
          stop: async () => toExit(await stop()),
        } satisfies HostProcess
      },
    },
    tools: {
      async call({ name, input, sessionId, callId }) {
        const tool = tools.find((one) => one.name === name)
        if (tool === undefined) throw new Error(`this app offers no tool '${name}'`)
        return tool.call(input, { sessionId, callId })
      },
    },
    openUrl: (url) => openUrl(url),
  }
}

function readText(file: string): string {
  return readFileSync(file, 'utf8')
}

function toExit({ exitCode, signal }: Ending) {
  return { code: exitCode, signal }
}

/** The program has ended, and a process of its tree could not be: `stop` says so, `exited` only tells the end. */
function lost() {
  return { code: null, signal: null }
}

/** The programs themselves refuse to start when the folder of their account is missing. */
async function createHomes({ env = {} }: SpawnOptions): Promise<void> {
  for (const [name, folder] of Object.entries(env)) {
    if (!name.endsWith('_HOME')) continue
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
    } catch (cause) {
      throw new Error(
        `${name} is ${folder}, which can't be created as a folder (${(cause as NodeJS.ErrnoException).code}). Next: name a folder, or a place where one can be made.`,
        { cause },
      )
    }
  }
}
