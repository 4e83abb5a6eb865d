/** One smoke from its options to its end: config, launch, supervise, observe, verdict, report, in this order. */
import { tmpdir } from 'node:os'
import { REPORT_ENV } from '@loader-smoke/turn'
import type { LoaderSmokeOptions } from './config/options.ts'
import { resolve, type SmokeSpec } from './config/resolve.ts'
import { IN_CODE, type WrittenNames } from './config/written-names.ts'
import { toArgv } from './launch/argv.ts'
import { type Launch, toLaunch } from './launch/command.ts'
import { checkFiles } from './launch/preflight.ts'
import { resolveLoader } from './launch/loader.ts'
import { prepareWorld } from './launch/prepare.ts'
import { NO_SERVICES, type Services, startServices } from './launch/start-services.ts'
import { leave, tellAside } from './leave.ts'
import { createWorld, type World } from './launch/world.ts'
import { observe } from './observe/facts.ts'
import { inspectWorld } from './observe/inspect.ts'
import { orRemoved } from './observe/run-folder.ts'
import { type LoaderSmokeResult, NOTHING, type Remains, toResult, toSmokeError } from './report/conclude.ts'
import { SmokeError } from './report/smoke-error.ts'
import { runLaunch } from './run.ts'
import { onInterrupt } from './supervise/interrupt.ts'
import { awaitSoon, sweepOnce } from './supervise/sweep-once.ts'
import { toErrorVerdict } from './verdict/error-verdict.ts'
import { endedAsExpected, judge } from './verdict/judge.ts'
import type { Verdict } from './verdict/verdict.ts'

/** One smoke; see `run-loader-smoke.ts` for what callers may rely on. `names` are what messages call the options. */
export async function runLoaderSmoke(
  options: LoaderSmokeOptions,
  names: WrittenNames = IN_CODE,
): Promise<LoaderSmokeResult> {
  const spec = before(String((options as Partial<LoaderSmokeOptions> | null | undefined)?.label), null, () =>
    resolve(options, process.env, names),
  )
  spec.abort?.throwIfAborted()
  const swept = sweepOnce(spec.world.parent ?? tmpdir())
  const { loaderUrl, world } = before(spec.label, spec, () => makeReady(spec, names))
  const forget = onInterrupt(spec.world.keep === 'always' ? () => {} : world.removeNow)
  const outcome = await runIn(spec, loaderUrl, world)
  const { verdict, ...remains } = await leave(spec, world, outcome)
  forget()
  await awaitSoon(swept)
  tellAside(spec, verdict, remains)
  spec.abort?.throwIfAborted()
  if (verdict.kind !== 'pass') throw toSmokeError(spec, verdict, remains)
  return toResult(spec, verdict, remains)
}

/** Does what comes before the run; whatever it throws becomes the error that callers get. */
function before<T>(label: string, spec: SmokeSpec | null, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const verdict = toErrorVerdict(error, label)
    throw spec === null ? new SmokeError(verdict.message, verdict, verdict.cause) : toSmokeError(spec, verdict, NOTHING)
  }
}

function makeReady(spec: SmokeSpec, names: WrittenNames): { readonly loaderUrl: string | null; readonly world: World } {
  checkFiles(spec, names)
  const loaderUrl = spec.mode === 'src' ? resolveLoader(spec.loader, spec.bin.source, names) : null
  return { loaderUrl, world: createWorld(spec) }
}

/** What a run came to; `cleanUp` is what went wrong while its services were stopped. */
type Outcome = { readonly verdict: Verdict } & Omit<Remains, 'kept'>

async function runIn(spec: SmokeSpec, loaderUrl: string | null, world: World): Promise<Outcome> {
  let launch: Launch | null = null
  let services: Services = NO_SERVICES
  const outcome = async (verdict: Verdict, inspectCause?: unknown): Promise<Outcome> => {
    const argv = toArgv(spec, loaderUrl)
    return { verdict, argv, env: launch?.env ?? {}, inspectCause, cleanUp: await services.stop() }
  }
  try {
    await prepareWorld(spec, world)
    services = await startServices(spec, world)
    launch = toLaunch(spec, loaderUrl, { ...world, services: services.env, report: { [REPORT_ENV]: world.reportFile } })
    const run = await runLaunch(spec, launch, world)
    const { argv: command, env } = launch
    const facts = await observe(spec, world, { ...run, command, env, services: await services.report() })
    const looked = endedAsExpected(spec, facts) ? await inspectWorld(spec, world) : { inspection: null }
    return await outcome(judge(spec, { ...facts, inspection: looked.inspection }), looked.cause)
  } catch (error) {
    return outcome(toErrorVerdict(orRemoved(error, world), spec.label))
  }
}
