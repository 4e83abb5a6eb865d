/**
 * What happens when this process is told to end while programs run below it: their trees are ended first, then what they left on disk is
 * removed, then this process dies as it was asked to. The programs lead sessions of their own, so a terminal's Ctrl-C doesn't reach them.
 */

/** Why this process is ending. */
export type Interruption = NodeJS.Signals | 'disconnect'

/** A program of ours that is alive. */
export interface LiveRun {
  /** Resolves or rejects when its tree is gone. */
  readonly ended: Promise<unknown>
  /** Asks its tree to end and remembers why. */
  interrupt(why: Interruption): void
  /** Ends its tree without asking. */
  kill(): void
  /** Ends its tree and returns when it is gone, without the event loop. */
  endNow(): void
}

/** The signals that end a run. */
const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** So long may callers take to judge, report and clean up by themselves after their trees are gone. */
const RELEASE_MS = 1_000

const runs = new Set<LiveRun>()
const undos = new Set<() => void>()
let interrupted: Interruption | null = null
let listening = false

/** Keeps `run` until it has ended, so that an interruption ends it. */
export function trackRun(run: LiveRun): void {
  runs.add(run)
  listen()
  const release = () => {
    runs.delete(run)
    listen()
  }
  run.ended.then(release, release)
}

/**
 * Registers `undo` (it removes a world, synchronously). When this process gets INT, TERM or HUP, or loses its IPC channel, every supervised
 * tree is ended and its `ended` resolves with `interrupted` set; callers then have a second to report and clean up the normal way; then
 * each `undo` still registered is called, and this process dies by the same signal. Where others listen for that signal too, dying is left
 * to them. A second signal skips the grace and the second. `process.exit()` ends the trees and calls each `undo` before the process is gone.
 * Returns a function that takes the registration back; call it when the thing is gone.
 */
export function onInterrupt(undo: () => void): () => void {
  undos.add(undo)
  listen()
  return () => {
    undos.delete(undo)
    listen()
  }
}

/** Why this process is ending, from the interruption until it is dealt with; nothing new is to be started then. */
export function interruption(): Interruption | null {
  return interrupted
}

/** Listens exactly while there is something to end or to undo, so that an idle process keeps its own ways to die. */
function listen(): void {
  const wanted = runs.size + undos.size > 0 || interrupted !== null
  if (wanted === listening) return
  listening = wanted
  const change = wanted ? process.on.bind(process) : process.off.bind(process)
  for (const signal of SIGNALS) change(signal, interrupt)
  change('exit', endEverything)
  // Listening keeps the channel, and with it the event loop, alive: only where there is one, and only for as long.
  if (process.connected || !wanted) change('disconnect', disconnected)
}

function disconnected(): void {
  void interrupt('disconnect')
}

async function interrupt(why: Interruption): Promise<void> {
  if (interrupted !== null) {
    for (const run of runs) run.kill()
    hurry?.()
    return
  }
  interrupted = why
  const hurried = new Promise<void>((resolve) => {
    hurry = resolve
  })
  for (const run of runs) run.interrupt(why)
  await Promise.allSettled([...runs].map((run) => run.ended))
  await Promise.race([hurried, released()])
  callUndos()
  interrupted = null
  hurry = undefined
  listen()
  if (why !== 'disconnect' && process.listenerCount(why) === 0) process.kill(process.pid, why)
}

let hurry: (() => void) | undefined

/** Resolves when every undo was taken back, or after `RELEASE_MS`. */
async function released(): Promise<void> {
  const end = performance.now() + RELEASE_MS
  while (undos.size > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5))
}

function endEverything(): void {
  for (const run of runs) run.kill()
  for (const run of runs) run.endNow()
  runs.clear()
  callUndos()
}

function callUndos(): void {
  for (const undo of undos) {
    undos.delete(undo)
    try {
      undo()
    } catch (error) {
      process.stderr.write(`loader-smoke: clean-up after an interruption: ${(error as Error).message}\n`)
    }
  }
}
