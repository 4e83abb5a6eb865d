/**
 * What supervision costs: each containment level at start and at stop against a bare `spawn`, a gibibyte of output in time and memory, and the two
 * cases where a bare `spawn` with pipes goes wrong: a deadline with a grandchild that holds stdout, and output right before `process.exit()`.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type ContainmentLevel, probeContainment, supervise, type Supervised } from '@loader-smoke/harness/supervise'
import { tempWorkspace } from '@loader-smoke/testkit'
import { measurePair, type Row, timeOf } from '../measure/paired.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const env = { PATH: process.env['PATH'] ?? '' }
const GIBIBYTE = 2 ** 30
const flood = `const { writeSync } = require('node:fs'); const mebibyte = Buffer.alloc(2 ** 20, 'x')
  for (let left = 1024; left > 0; left--) for (let at = 0; at < mebibyte.length; ) at += writeSync(1, mebibyte, at)`
const heldStdout = `require('node:child_process').spawn('sleep', ['3'], { detached: true, stdio: 'inherit' }); setInterval(() => {}, 1000)`
const shout = `process.stdout.write('x'.repeat(1_000_000)); process.exit()`

/** One row after another, as they are measured. */
export async function* rows(): AsyncGenerator<Row> {
  await using folder = await tempWorkspace({ 'package.json': '{"type":"module"}', 'tsconfig.json': '{}' })
  const run = (argv: readonly string[], more: { containment?: ContainmentLevel; deadlineMs?: number } = {}) =>
    supervise({
      argv,
      env,
      cwd: folder.path,
      stdio: 'file',
      graceMs: 2_000,
      captureDir: mkdtempSync(join(folder.path, 'capture-')),
      ...more,
    })

  for (const containment of levels()) {
    const whole = (argv: readonly string[]) => async () => void (await (await run(argv, { containment })).ended)
    yield measurePair(
      {
        bench: `a run of true, ${containment}, over a bare spawn`,
        unit: 'ms',
        ours: () => timeOf(whole(['/bin/true'])),
        other: () => timeOf(() => bare(['/bin/true'])),
      },
      30,
    )
    yield measurePair(
      {
        bench: `a stop of sleep, ${containment}, over a bare kill`,
        unit: 'ms',
        ours: () => stopTime(() => run(['/bin/sleep', '60'], { containment })),
        other: killTime,
      },
      30,
    )
  }

  yield measurePair(
    {
      bench: 'a deadline of 400 ms, setsid grandchild',
      unit: 'ms',
      ours: () => timeOf(async () => void (await (await run(node(heldStdout), { deadlineMs: 400 })).ended)),
      other: () => timeOf(() => bare(node(heldStdout), 400)),
    },
    3,
  )
  yield measurePair(
    {
      bench: '1 MB, then process.exit()',
      unit: 'bytes',
      ours: async () => {
        const running = await run(node(shout))
        await running.ended
        return statSync(running.stdoutFile as string).size
      },
      other: () => bare(node(shout)),
    },
    5,
  )

  const bin = await folder.write('lib/bin.js', `import { writeSync } from 'node:fs'\n${flood.replace(/^.*?;/, '')}\n`)
  const built = pathToFileURL(join(root, 'packages/harness/lib/index.js')).href
  yield measurePair(
    {
      bench: 'a smoke of 1 GiB of output over one through pipes',
      unit: 'ms',
      ours: async () => (await smokeFlood(built, folder.path, bin)).ms,
      other: () => timeOf(() => bare(node(flood))),
    },
    3,
  )
  yield measurePair(
    {
      bench: "a smoke's peak memory, 1 GiB over no output",
      unit: 'bytes',
      ours: async () => (await smokeFlood(built, folder.path, bin)).peakBytes,
      other: async () => (await smokeFlood(built, folder.path, await folder.write('lib/quiet.js', ''))).peakBytes,
    },
    3,
  )
}

function node(program: string): readonly string[] {
  return [process.execPath, '-e', program]
}

/** The levels of this machine, the best first. */
function levels(): readonly ContainmentLevel[] {
  const all = ['subreaper', 'group+sweep', 'group'] as const
  const best = probeContainment()
  return best === 'tree' ? ['tree'] : all.slice(all.indexOf(best))
}

/** Runs `argv` through pipes as one would by hand, and gives the bytes it delivered on stdout. */
async function bare([program = '', ...args]: readonly string[], timeout?: number): Promise<number> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], ...(timeout ? { timeout } : {}) })
  let bytes = 0
  child.stdout.on('data', (chunk: Buffer) => (bytes += chunk.length))
  child.stderr.resume()
  await once(child, 'close')
  return bytes
}

async function stopTime(start: () => Promise<Supervised>): Promise<number> {
  const running = await start()
  return timeOf(() => running.stop())
}

async function killTime(): Promise<number> {
  const child = spawn('/bin/sleep', ['60'], { env, stdio: 'ignore' })
  await once(child, 'spawn')
  return timeOf(async () => {
    child.kill()
    await once(child, 'exit')
  })
}

/** A whole smoke of `bin` in a process of its own. */
async function smokeFlood(built: string, folder: string, bin: string): Promise<{ ms: number; peakBytes: number }> {
  const options = {
    label: 'flood',
    tempDirPrefix: 'loader-smoke-bench-',
    binScript: join(folder, 'src/bin.ts'),
    libBinScript: bin,
    configPath: join(folder, 'config.yml'),
    mode: 'lib',
    maxOutputBytes: 2 * GIBIBYTE,
  }
  const program = String.raw`
    import { runLoaderSmoke } from ${JSON.stringify(built)}
    const start = performance.now()
    await runLoaderSmoke(${JSON.stringify(options)})
    const ms = performance.now() - start
    // Not maxRSS: Linux hands that of the process before exec on.
    const { existsSync, readFileSync } = await import('node:fs')
    const peak = existsSync('/proc/self/status') ? /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1] : process.resourceUsage().maxRSS
    console.log(JSON.stringify({ ms, peakBytes: Number(peak) * 1024 }))`
  const { NODE_OPTIONS: _, ...plain } = process.env
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: folder, env: plain })
  return JSON.parse(said.toString()) as { ms: number; peakBytes: number }
}
