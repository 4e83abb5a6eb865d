/** What the README tells newcomers, word for word, in fresh folders with packed files only: npm script and vitest. (Turborepo and Nx have files of their own.) */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packPackages, ROOT, usePacked, userEnvironment } from './packed.ts'

let folder: string
let app: string

interface Ran {
  readonly code: number
  readonly output: string
}

function run(program: string, ...words: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(program, words, { cwd: app, env: userEnvironment({ NO_COLOR: '1' }) }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    )
  })
}

/** The code that the README of the program shows in the language and after the words. */
async function shown(after: string, language: string): Promise<string> {
  const readme = await readFile(join(ROOT, 'packages/cli/README.md'), 'utf8')
  const from = readme.indexOf(after)
  const code = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(readme.slice(from))?.[1]
  if (from === -1 || code === undefined) throw new Error(`the README has no ${language} after ${JSON.stringify(after)}`)
  return code
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loader-smoke-newcomer-'))
  app = join(folder, 'my-agent')
  const packed = await packPackages(['turn', 'harness', 'model-replay', 'cli'], join(folder, 'packed'))
  await mkdir(join(app, 'src'), { recursive: true })
  const example = join(ROOT, 'e2e/turbo-workspace/apps/agent')
  for (const name of ['cordis.yml', 'model.yml']) await cp(join(example, name), join(app, name))
  await writeFile(join(app, 'src/bin.ts'), await shown('The bin boots the app', 'ts'))
  await writeFile(
    join(app, 'tsconfig.json'),
    '{ "compilerOptions": { "module": "nodenext", "target": "es2022", "rootDir": "src", "outDir": "lib", "types": ["node"], "skipLibCheck": true }, "include": ["src"] }',
  )
  const { dependencies } = JSON.parse(await readFile(join(example, 'package.json'), 'utf8')) as {
    readonly dependencies: Record<string, string>
  }
  const { '@demo/greeting': _, ...own } = dependencies
  const manifest = {
    name: 'my-agent',
    type: 'module',
    scripts: { build: 'tsc' },
    dependencies: own,
    devDependencies: {
      '@loader-smoke/harness': '',
      '@loader-smoke/model-replay': '',
      'loader-smoke': '',
      '@types/node': '24.10.1',
      typescript: '7.0.2',
      vite: '8.3.8',
      vitest: '5.1.2',
    },
  }
  await writeFile(join(app, 'package.json'), JSON.stringify(manifest))
  await usePacked(app, packed)
  const install = await run('npm', 'install', '--no-audit', '--no-fund', '--prefer-offline')
  if (install.code !== 0) throw new Error(install.output)
}, 300_000)

afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

describe('a newcomer', { timeout: 300_000 }, () => {
  it('with npm scripts: init, a model script, then source and built', async () => {
    expect(await run('npx', 'loader-smoke', 'init')).toMatchObject({
      code: 0,
      output: expect.stringContaining('wrote smoke.config.json'),
    })
    const file = join(app, 'smoke.config.json')
    const written = JSON.parse(await readFile(file, 'utf8')) as { readonly $schema: string }
    // What init points editors to is there.
    expect(JSON.parse(await readFile(join(app, written.$schema), 'utf8'))).toHaveProperty('properties.bin')
    await writeFile(file, JSON.stringify({ ...written, model: { script: 'model.yml' } }))
    const source = await run('npm', 'run', 'smoke')
    expect(source.output).toMatch(/✓ my-agent \(src\) passed .* · 20 tokens in, 5 out · "Hello from the script\."/)
    const early = await run('npm', 'run', 'smoke:lib')
    expect(early).toMatchObject({ code: 2, output: expect.stringContaining('my-agent has no built entry') })
    expect(await run('npm', 'run', 'build')).toMatchObject({ code: 0 })
    const built = await run('npm', 'run', 'smoke:lib')
    expect(built.output).toMatch(/✓ my-agent \(lib\) passed/)
    expect((await run('npx', 'loader-smoke', 'doctor')).output).toContain('Ready to run.')
  })

  it('with vitest: the spec of the README', async () => {
    const spec = (await shown('**vitest.**', 'ts')).replace(
      "task: 'Say hello.'",
      "task: 'Say hello.', model: { script: '../model.yml' }",
    )
    await mkdir(join(app, 'tests'), { recursive: true })
    await writeFile(join(app, 'tests/app.spec.ts'), spec)
    await writeFile(
      join(app, 'tests/file.spec.ts'),
      `import { smokeTestFile } from '@loader-smoke/harness/vitest'\nawait smokeTestFile(new URL('../smoke.config.json', import.meta.url))\n`,
    )
    const passed = await run('npx', 'vitest', 'run')
    expect(passed.output).toMatch(/Tests {2}2 passed/)
    expect(passed.code).toBe(0)
    // It is typed: a matcher that is given nonsense does not compile.
    await writeFile(join(app, 'tests/app.spec.ts'), spec.replace('toHaveExited(0)', "toHaveExited('zero')"))
    const types = await run(
      'npx',
      'tsc',
      '--noEmit',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      'tests/app.spec.ts',
      '--types',
      'node',
      '--ignoreConfig',
    )
    expect(types.output).toMatch(/tests\/app\.spec\.ts.*'"zero"' is not assignable/)
    const failed = await run('npx', 'vitest', 'run', 'tests/app.spec.ts')
    expect(failed.output).toContain('the bin ended with 0; zero was what it should be, or not be')
    expect(failed.code).toBe(1)
  })
})
