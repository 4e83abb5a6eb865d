/** Starts a launch under supervision and waits for its end, or for the caller's abort. */
import type { SmokeSpec } from './config/resolve.ts'
import type { Launch } from './launch/command.ts'
import type { World } from './launch/world.ts'
import { followCapture } from './observe/follow.ts'
import { liveText } from './report/live-text.ts'
import { secretsOf } from './report/redact.ts'
import { supervise } from './supervise/supervise.ts'
import type { Ending, Supervised } from './supervise/types.ts'

/** How the run ended, and the files that hold its streams. */
export interface Run {
  readonly ending: Ending
  /** Milliseconds since the epoch. */
  readonly startedAtMs: number
  readonly stdoutFile: string
  readonly stderrFile: string
}

/**
 * Resolves when no process of the run is left. An abort stops it first.
 * @throws SuperviseError when it could not be started, or not be ended.
 */
export async function runLaunch(spec: SmokeSpec, launch: Launch, world: World): Promise<Run> {
  spec.abort?.throwIfAborted()
  const running = await supervise({
    argv: launch.argv,
    cwd: launch.cwd,
    env: launch.env,
    stdio: 'file',
    captureDir: world.runDir,
    cookie: world.cookie,
    deadlineMs: spec.deadlineMs,
    graceMs: spec.graceMs,
    maxOutputBytes: spec.maxOutputBytes,
    ...(launch.stdin === null ? {} : { stdin: launch.stdin }),
    ...(spec.containment ? { containment: spec.containment } : {}),
  })
  const startedAtMs = Date.now()
  const stop = () => void running.stop().catch(() => {}) // told by `ended`, which is awaited below
  const told = tellOutput(spec, launch, running)
  spec.abort?.addEventListener('abort', stop, { once: true })
  if (spec.abort?.aborted) stop()
  try {
    return {
      ending: await running.ended,
      startedAtMs,
      stdoutFile: running.stdoutFile as string,
      stderrFile: running.stderrFile as string,
    }
  } finally {
    await told()
    spec.abort?.removeEventListener('abort', stop)
  }
}

/** Tells the caller what the run prints, secrets masked, until the returned function is called; that one resolves when the last of it was told. */
function tellOutput({ onOutput, env, redact }: SmokeSpec, launch: Launch, run: Supervised): () => Promise<unknown> {
  if (onOutput === null) return async () => {}
  const secrets = secretsOf([env.inherited, env.overrides, launch.env], redact)
  const follow = (stream: 'stdout' | 'stderr') => {
    const live = liveText(secrets)
    const tell = (text: string) => {
      if (text !== '') onOutput(stream, text)
    }
    return followCapture(run[`${stream}File`] as string, {
      text: (text) => tell(live.text(text)),
      skipped: (bytes) => live.skipped(bytes),
      end: () => tell(live.end()),
    })
  }
  const followed = [follow('stdout'), follow('stderr')]
  // What a listener throws, or a file that can't be followed, ends the telling: the verdict is about the bin.
  return () => Promise.allSettled(followed.map((one) => one.finish()))
}
