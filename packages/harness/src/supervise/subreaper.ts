/** Level `subreaper`: the program runs below a helper that adopts every orphan of the tree, keeps the deadline, and ends the tree when we die. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Duplex } from 'node:stream'
import type { Contain, Contained, ContainedLaunch } from './contained.ts'
import { HelperTalk } from './helper/talk.ts'
import { subreaperProgram, systemCalls } from './helper/subreaper-program.ts'
import { isAlive } from './processes.ts'
import { endReachable, signalGroup } from './reach.ts'
import { KILL_MS, LATE_MS, setLateTimeout, untilSync, WAKE_MS } from './timing.ts'

/** Makes the level from the absolute path of a perl that the probe found good. */
export function subreaperWith(perl: string): Contain {
  return async (launch) => {
    const helper = startHelper(perl, launch)
    // From the first: a busy loop may learn of the exit before it reads what the helper said.
    const helperGone = new Promise<void>((resolve) => helper.once('exit', () => resolve()))
    const control = helper.stdio[3] as Duplex
    const talk = new HelperTalk(control, launch)
    const waking = setInterval(() => wake(helper), WAKE_MS)
    void talk.ended.catch(() => {}).finally(() => clearInterval(waking))
    const pid = await talk.started
    return contain(launch, helper, helperGone, talk, pid)
  }
}

function startHelper(perl: string, { stdio }: ContainedLaunch): ChildProcess {
  const numbers = systemCalls[process.arch]
  const args = ['-e', subreaperProgram, `${numbers?.prctl}`, `${numbers?.setsid}`, `${numbers?.clockGettime}`]
  // The program's environment travels in the launch: PERL5OPT and the like must not reach the helper.
  const helper = spawn(perl, args, { cwd: '/', env: { LC_ALL: 'C' }, stdio: [...stdio, 'pipe'], detached: true })
  helper.on('error', () => {
    // The control socket ends too, and that is what is reported.
  })
  return helper
}

/** Continues helper and guardian, which are one process group: a program may have stopped both. */
function wake({ pid }: ChildProcess): void {
  if (pid !== undefined) signalGroup(pid, 'SIGCONT')
}

function contain(
  launch: ContainedLaunch,
  helper: ChildProcess,
  helperGone: Promise<void>,
  talk: HelperTalk,
  pid: number,
): Contained {
  const late =
    launch.deadlineMs === undefined
      ? undefined
      : setLateTimeout(() => talk.hangUp(), launch.deadlineMs + launch.graceMs + LATE_MS)
  const order = (letter: 'T' | 'K') => {
    wake(helper)
    talk.order(letter)
  }
  const ended = talk.ended
    .catch(async (error: unknown) => {
      // The helper is no help any more: what can be reached from here is ended from here.
      helper.kill('SIGKILL')
      await endReachable({ group: pid, cookie: launch.cookie, sweep: true, sinceTicks: 0 })
      throw error
    })
    .finally(async () => {
      clearTimeout(late)
      talk.hangUp()
      wake(helper)
      await helperGone
    })
  return {
    pid,
    stdin: helper.stdin,
    stdout: helper.stdout,
    stderr: helper.stderr,
    get exited() {
      return talk.exited
    },
    ended,
    stop: () => order('T'),
    kill: () => order('K'),
    endNow() {
      order('K')
      untilSync(() => !isAlive(helper.pid as number), KILL_MS)
    },
  }
}
