/**
 * What Nx costs around smokes: 20 smokes that each boot the example app, against bare boots of it; a fully cached run of 100 smokes, against 100 cached tasks
 * that do nothing; and what inferring 100 smokes adds to a call of Nx without its daemon, with nothing kept and with all.
 */
import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parallelism } from '../../packages/nx/src/executors/smoke/batch.ts'
import { inPool } from '../../packages/nx/src/executors/smoke/pool.ts'
import { json, type Scratch, scratch } from '../../packages/nx/tests/scratch.ts'
import { measurePair, type Row, timeOf } from '../measure/paired.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const example = join(repository, 'packages/examples/agent')
const TASK = 'Write the answer into note.txt and tell me what it says.'

/** One row after another, as they are measured. */
export async function* rows(): AsyncGenerator<Row> {
  yield* manySmokes(20)
  yield* cachedSmokes(100)
  yield* inference(100)
}

/** Two boots side by side take longer than one, where cores share what they compute with: the second row has what remains to the harness and Nx. */
async function* manySmokes(count: number): AsyncGenerator<Row> {
  await using workspace = await scratch()
  const names = Array.from({ length: count }, (_, index) => `copy-${index}`)
  for (const name of names) await copyExample(workspace, name)
  const atOnce = parallelism({}, {})
  const boots = names.map((name) => () => bareBoot(workspace.file('packages', name)))
  const ours = () => timeOf(() => nx(workspace, ['run-many', '-t', 'smoke', '--skip-nx-cache']))
  const bench = `nx run-many of ${count} boots, over bare boots`
  yield await measurePair(
    {
      bench: `${bench}, their sum / ${atOnce}`,
      unit: 'ms',
      ours,
      async other() {
        let sum = 0
        for (const boot of boots) sum += await boot()
        return sum / atOnce
      },
    },
    3,
  )
  const sideBySide = () => timeOf(() => Array.fromAsync(inPool(boots, atOnce)))
  yield await measurePair({ bench: `${bench}, ${atOnce} at once`, unit: 'ms', ours, other: sideBySide }, 3)
}

async function* cachedSmokes(count: number): AsyncGenerator<Row> {
  const options = { bin: '{projectRoot}/src/bin.ts', config: '{projectRoot}/cordis.yml', turn: 'optional' }
  const smoke = { executor: '@loader-smoke/nx:smoke', options }
  const nothing = { executor: 'nx:run-commands', cache: true, options: { command: 'node -e 0' } }
  await using workspace = await scratch(projects(count, { smoke, nothing }))
  await using without = await withPlugins([], projects(count, { nothing }))
  const bench = `nx run-many of ${count} cached smokes, over no-op tasks`
  const ours = () => timeOf(() => nx(workspace, ['run-many', '-t', 'smoke']))
  for (const [where, other] of [
    ['beside them', workspace],
    ['without a plugin', without],
  ] as const) {
    const nothings = () => timeOf(() => nx(other, ['run-many', '-t', 'nothing']))
    yield await measurePair({ bench: `${bench} ${where}`, unit: 'ms', ours, other: nothings }, 7)
  }
}

function projects(count: number, targets: Readonly<Record<string, unknown>>): Record<string, string> {
  const files = Array.from({ length: count }, (_, index) => ({
    [`packages/task-${index}/src/bin.ts`]: 'process.exitCode = 0\n',
    [`packages/task-${index}/cordis.yml`]: '',
    [`packages/task-${index}/project.json`]: json({ name: `task-${index}`, targets }),
  }))
  return Object.assign({}, ...files) as Record<string, string>
}

async function withPlugins(plugins: readonly string[], files: Readonly<Record<string, string>>): Promise<Scratch> {
  const workspace = await scratch(files)
  const nxJson = JSON.parse(await workspace.read('nx.json')) as Record<string, unknown>
  await workspace.write('nx.json', json({ ...nxJson, plugins }))
  return workspace
}

const show = (workspace: Scratch) => nx(workspace, ['show', 'projects'])

async function* inference(count: number): AsyncGenerator<Row> {
  await using workspace = await scratch()
  const idle = { 'idle.mjs': "export const createNodes = ['**/project.json', () => []]\n" }
  await using other = await withPlugins(['./idle.mjs'], idle)
  for (const one of [workspace, other])
    for (let index = 0; index < count; index++) await copyExample(one, `copy-${index}`)
  for (const kept of [false, true])
    yield await measurePair(
      {
        bench: `nx show projects, ${count} smokes inferred ${kept ? 'before' : 'anew'}, over an idle plugin`,
        unit: 'ms',
        async ours() {
          if (!kept) await rm(workspace.file('.nx/workspace-data/loader-smoke.json'), { force: true })
          return await timeOf(() => show(workspace))
        },
        other: () => timeOf(() => show(other)),
      },
      7,
    )
}

/** The example app as one more project, with the example's own target. */
async function copyExample(workspace: Scratch, name: string): Promise<void> {
  const skipped = /[/\\](?:lib|tests|node_modules|\.smoke)(?:[/\\]|$)/
  const filter = (path: string) => !skipped.test(path.slice(example.length))
  await cp(example, workspace.file('packages', name), { recursive: true, filter })
  const read = async (file: string) => JSON.parse(await readFile(join(example, file), 'utf8')) as Record<string, any>
  const [manifest, project] = [await read('package.json'), await read('project.json')]
  await workspace.write(`packages/${name}/package.json`, json({ ...manifest, name: `@scratch/${name}`, nx: { name } }))
  await workspace.write(`packages/${name}/project.json`, json({ name, targets: { smoke: project['targets'].smoke } }))
}

async function nx(workspace: Scratch, args: readonly string[]): Promise<void> {
  const { exitCode, output } = await workspace.nx(args)
  if (exitCode !== 0) throw new Error(`nx ${args.join(' ')} ended with ${exitCode}:\n${output}`)
}

/** The time of the same boot without harness and without Nx, in milliseconds. */
async function bareBoot(project: string): Promise<number> {
  const world = await mkdtemp(join(tmpdir(), 'loader-smoke-bench-'))
  const args = ['--import', import.meta.resolve('tsx'), join(project, 'src/bin.ts'), join(project, 'cordis.yml'), TASK]
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    DSH_HOME: join(world, '.dsh'),
    DSH_AGENTS_HOME: join(world, '.agents'),
    DEEPSEEK_API_KEY: 'keyless',
    NODE_OPTIONS: '--conditions=@loader-smoke/source',
    TSX_TSCONFIG_PATH: join(repository, 'tsconfig.base.json'),
  }
  const boot = async () => {
    const child = spawn(process.execPath, args, { cwd: world, env, stdio: 'ignore' })
    const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
    if (code !== 0) throw new Error(`a bare boot of ${project} ended with ${code}`)
  }
  try {
    return await timeOf(boot)
  } finally {
    await rm(world, { recursive: true, force: true, maxRetries: 5 })
  }
}
