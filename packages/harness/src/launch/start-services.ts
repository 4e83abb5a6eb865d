/** Starts what the caller wants beside the bin, asks it afterwards, and stops it again. */
import { checkEnvironment } from '../config/check.ts'
import type { RunningService, ServiceReport, SmokeService, SmokeWorld } from '../config/services.ts'
import type { SmokeSpec } from '../config/resolve.ts'
import { untilAborted } from './abort.ts'
import { LaunchError } from './launch-error.ts'
import { messageOf } from './prepare.ts'
import { within } from './within.ts'
import type { World } from './world.ts'

/** A service has so long to report, and so long to stop. */
const SETTLE_MS = 10_000

/** What a service said about the run. */
export interface ServiceFact extends ServiceReport {
  readonly name: string
}

/** The running services of one smoke. */
export interface Services {
  /** What they add to the environment; a later service wins. */
  readonly env: Readonly<Record<string, string>>
  /** Asks each that reports. @throws LaunchError `stage: 'services'`. */
  report(): Promise<readonly ServiceFact[]>
  /** Stops all, the last one first. Resolves with what went wrong, after each has been asked, or null. */
  stop(): Promise<Error | null>
}

/** None were started. */
export const NO_SERVICES: Services = { env: {}, report: async () => [], stop: async () => null }

/** Starts the services one after another; when one does not start, those before it are stopped. @throws LaunchError `stage: 'services'`. */
export async function startServices(spec: SmokeSpec, { cwd, homes }: World): Promise<Services> {
  const running: (RunningService & { readonly name: string })[] = []
  const stop = () => stopAll(spec.label, running.splice(0).toReversed())
  for (const service of spec.services) {
    const name = nameOf(service)
    try {
      const started = await start(service, { cwd, homes, mode: spec.mode }, spec.abort)
      checkStarted(started)
      running.push({
        name,
        env: started.env ?? {},
        stop: () => started.stop(),
        ...(started.report === undefined ? {} : { report: started.report.bind(started) }),
      })
      // When it can be stopped already.
      checkEnvironment('its env', started.env ?? {})
    } catch (cause) {
      await stop()
      throw new LaunchError('services', `${spec.label}: ${name} did not start: ${messageOf(cause)}`, cause)
    }
  }
  return {
    env: Object.assign({}, ...running.map(({ env }) => env)) as Record<string, string>,
    async report() {
      const facts: ServiceFact[] = []
      for (const { name, report } of running) if (report) facts.push({ name, ...(await ask(spec.label, name, report)) })
      return facts
    },
    stop,
  }
}

/** @throws Error for what can't be stopped after the run, told while it is clear which service it came from. */
function checkStarted(started: unknown): void {
  const { stop, report } = (started ?? {}) as { readonly stop?: unknown; readonly report?: unknown }
  if (typeof stop !== 'function' || (report !== undefined && typeof report !== 'function'))
    throw new Error('its start must give { env?, stop(), report?() }.\nNext: give a stop() that ends what was started.')
}

/** One that has started only after the caller aborted is stopped when it has: nobody else would. */
async function start(service: SmokeService, world: SmokeWorld, abort: AbortSignal | null): Promise<RunningService> {
  let starting: Promise<RunningService> | undefined
  try {
    return await untilAborted(abort, () => (starting = Promise.resolve(service.start(world))))
  } catch (error) {
    // Its own failure to start or to stop has nobody left to tell it to: the caller gets the reason of the abort.
    if (abort?.aborted) starting?.then((started) => started.stop()).catch(() => {})
    throw error
  }
}

async function ask(label: string, name: string, report: NonNullable<RunningService['report']>): Promise<ServiceReport> {
  try {
    return await within(SETTLE_MS, report)
  } catch (cause) {
    throw new LaunchError('services', `${label}: ${name} did not report: ${messageOf(cause)}`, cause)
  }
}

async function stopAll(
  label: string,
  services: readonly (RunningService & { readonly name: string })[],
): Promise<Error | null> {
  const causes: unknown[] = []
  const lines: string[] = []
  for (const { name, stop } of services) {
    try {
      await within(SETTLE_MS, stop)
    } catch (cause) {
      causes.push(cause)
      lines.push(`${label}: ${name} did not stop: ${messageOf(cause)}`)
    }
  }
  return lines.length === 0 ? null : new LaunchError('services', lines.join('\n'), new AggregateError(causes))
}

/** A service as messages call it. */
export function nameOf({ name = 'service' }: { readonly name?: string }): string {
  return name === 'service' ? 'a service' : `service ${name}`
}
