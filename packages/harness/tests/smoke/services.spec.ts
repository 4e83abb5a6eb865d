import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runLoaderSmoke, type SmokeService, type SmokeWorld } from '@loader-smoke/harness'
import { expect, test } from 'vitest'
import { arena, errorOf, fixture, withoutRerun } from '../fixtures/fixture.ts'

const hangs = () => new Promise<never>(() => {})
const refuses = () => Promise.reject(new Error('stuck'))

/** A real server on loopback whose address the bin gets; `log` has what happened to it, in order. */
function server(name: string, log: string[], failures: readonly string[] = []): SmokeService {
  return {
    name,
    async start(world: SmokeWorld) {
      log.push(`${name} starts in ${world.mode}`)
      const http = createServer().listen(0, '127.0.0.1')
      await new Promise((resolve) => http.once('listening', resolve))
      return {
        env: { [`${name.toUpperCase()}_URL`]: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, LAST: name },
        report: () => ({ failures, facts: { name } }),
        async stop() {
          await new Promise((resolve) => http.close(resolve))
          log.push(`${name} stopped`)
        },
      }
    },
  }
}

test('services start in order before the bin, hand over their address, and stop in reverse after it', async () => {
  await using world = await arena()
  const log: string[] = []
  const { stdout, verdict } = await runLoaderSmoke(
    fixture('says-where-it-is', world, {
      services: [server('one', log), server('two', log)],
      prepare: () => void log.push('prepare'),
      inspect: () => void log.push('inspect'),
    }),
  )
  const { env } = JSON.parse(stdout) as { env: Record<string, string> }
  expect(env['ONE_URL']).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(env['LAST']).toBe('two')
  expect(log).toEqual(['prepare', 'one starts in lib', 'two starts in lib', 'inspect', 'two stopped', 'one stopped'])
  expect(verdict.facts.services).toEqual([
    { name: 'service one', failures: [], facts: { name: 'one' } },
    { name: 'service two', failures: [], facts: { name: 'two' } },
  ])
})

test('what went against a service’s script fails the smoke', async () => {
  await using world = await arena()
  const error = await errorOf(
    fixture('exits', world, { binArgs: [], services: [server('model', [], ['turn 2 was never asked for.'])] }),
  )
  expect(withoutRerun(error.message)).toBe(
    'exits service model: turn 2 was never asked for. stdout:\nout\n\nstderr:\nerr\n',
  )
})

test('a service that does not start is the caller’s error; those before it are stopped and the world is gone', async () => {
  await using world = await arena()
  const log: string[] = []
  const cause = new Error('port in use')
  const broken: SmokeService = { name: 'broken', start: () => Promise.reject(cause) }
  const error = await errorOf(fixture('exits', world, { services: [server('one', log), broken] }))
  expect(withoutRerun(error.message)).toBe('exits: service broken did not start: port in use')
  expect(error.verdict).toMatchObject({ kind: 'error', stage: 'services', cause })
  expect(log).toEqual(['one starts in lib', 'one stopped'])
  expect(world.entries()).toEqual([])
})

test('services are stopped after a run that failed', async () => {
  await using world = await arena()
  const log: string[] = []
  await errorOf(fixture('exits', world, { binArgs: ['1'], services: [server('one', log)] }))
  expect(log).toEqual(['one starts in lib', 'one stopped'])
})

test('a service that can’t be stopped turns a pass into an error of clean-up', async () => {
  await using world = await arena()
  const error = await errorOf(
    fixture('exits', world, { binArgs: [], services: [{ start: () => ({ stop: refuses }) }] }),
  )
  expect(withoutRerun(error.message)).toBe('exits: a service did not stop: stuck\nstdout:\nout\n\nstderr:\nerr\n')
  expect(error.verdict).toMatchObject({ kind: 'error', stage: 'cleanup' })
})

test.each([[undefined], [{ env: {} }], [{ stop() {}, report: 'x' }]])(
  'a service that gives no stop is told before the bin starts: %j',
  async (started) => {
    await using world = await arena()
    const services = [{ name: 'model', start: () => started as never }]
    const error = await errorOf(fixture('exits', world, { services }))
    expect(withoutRerun(error.message)).toBe(
      'exits: service model did not start: its start must give { env?, stop(), report?() }.\nNext: give a stop() that ends what was started.',
    )
    expect(error.verdict).toMatchObject({ kind: 'error', stage: 'services', facts: null })
  },
)

test('a service that starts only after the caller aborted is stopped all the same', async () => {
  await using world = await arena()
  const controller = new AbortController()
  const { promise: started, resolve: finishStart } = Promise.withResolvers<void>()
  const { promise: stopped, resolve: stop } = Promise.withResolvers<string>()
  const slow: SmokeService = {
    async start() {
      controller.abort()
      await started
      return { stop: () => stop('stopped') }
    },
  }
  const run = runLoaderSmoke(fixture('exits', world, { services: [slow], signal: controller.signal }))
  expect(await run.catch((error: unknown) => error)).toBe(controller.signal.reason)
  finishStart()
  expect(await stopped).toBe('stopped')
})

test('a service that never stops is told, not waited for', async () => {
  await using world = await arena()
  const error = await errorOf(fixture('exits', world, { binArgs: [], services: [{ start: () => ({ stop: hangs }) }] }))
  expect(error.message.split('\n')[0]).toBe('exits: a service did not stop: it had not settled after 10s')
  expect(world.entries()).toEqual([])
})

test.each<[object, string]>([
  [{ A: 5 }, 'its env.A must be a text without NUL, or null, got 5.\nNext: quote numbers; null takes the name away.'],
  [{ 'A=': 'x' }, 'a name in its env must be an environment name without \'=\', got "A=".\nNext: give the name alone.'],
])('a service whose environment can not be handed on, %j, is named, and stopped', async (env, message) => {
  await using world = await arena()
  const log: string[] = []
  const service = {
    name: 'odd',
    start: () => ({ env: env as Record<string, string>, stop: () => void log.push('stopped') }),
  }
  const error = await errorOf(fixture('exits', world, { services: [service] }))
  expect(withoutRerun(error.message)).toBe(`exits: service odd did not start: ${message}`)
  expect(error.verdict).toMatchObject({ kind: 'error', stage: 'services' })
  expect(log).toEqual(['stopped'])
})
