/** Where plugins are found: the same places with and without the loader's native addon, in both modes. */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { LOADER_SMOKE_TEST_TIMEOUT_MS, runLoaderSmoke, SmokeError } from '@loader-smoke/harness'
import { beforeAll, expect, test } from 'vitest'
import { build, type Scratch, scratch, smokeOf } from './scratch.ts'

beforeAll(build, 120_000)

const timeout = { timeout: LOADER_SMOKE_TEST_TIMEOUT_MS }

/** A plugin that prints which copy it is. */
const says = (which: string) =>
  `export const name = 'copy'\nexport const apply = () => console.log('copy of ${which}')\n`

const plugin = (folder: string, which: string) => ({
  [`${folder}/copy/package.json`]: JSON.stringify({ name: 'copy', type: 'module', exports: { import: './index.js' } }),
  [`${folder}/copy/index.js`]: says(which),
})

const INSERT_COPY = '- insert: [{ id: copy, name: copy }]\n'

/** Starts the built bin as the harness would, with `flags` for Node, which the harness has no option for. */
async function bootWith(installation: Scratch, flags: readonly string[]): Promise<string> {
  const home = installation.workspace.file('home')
  const profile = installation.workspace.file('home', 'profiles', 'scratch')
  await mkdir(profile, { recursive: true })
  await writeFile(
    installation.workspace.file('home', 'profiles', 'scratch', 'package.json'),
    JSON.stringify({ dsh: { profile: { bundles: ['empty-bundle'] } } }),
  )
  const bin = installation.workspace.file('app', 'lib', 'only-boots.js')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...flags, bin, installation.overlay('copy.patch.yml')],
    { env: { PATH: process.env['PATH'], DSH_HOME: home }, timeout: 30_000 },
  )
  return stdout
}

const ONLY_BOOTS = `import { fileURLToPath } from 'node:url'
import { bootProfile } from '@loader-smoke/profile'

const installAnchor = fileURLToPath(new URL('../package.json', import.meta.url))
const ctx = await bootProfile({ binName: 'scratch', profile: 'scratch', installAnchor, overlayPaths: process.argv.slice(2) })
console.log('internals', ctx.loader.internal !== undefined)
await ctx.fiber.dispose()
`

const EMPTY_BUNDLE = {
  'app/node_modules/empty-bundle/package.json': JSON.stringify({
    name: 'empty-bundle',
    dsh: { bundle: { patch: './cordis.patch.yml' } },
  }),
  'app/node_modules/empty-bundle/cordis.patch.yml': '[]\n',
  'app/lib/only-boots.js': ONLY_BOOTS,
  'app/smoke/copy.patch.yml': INSERT_COPY,
}

// The flag opens the same door that the addon does: the loader's own look-up starts from the config's folder then.
test.each([
  { flags: [], internals: false },
  { flags: ['--expose-internals'], internals: true },
])(
  '$flags: a bare name comes from the profile, whether or not the loader sees Node’s internals',
  timeout,
  async (row) => {
    await using installation = await scratch({
      ...EMPTY_BUNDLE,
      ...plugin('home/profiles/scratch/node_modules', 'the profile'),
      ...plugin('app/smoke/node_modules', 'the overlay'),
    })
    expect(await bootWith(installation, row.flags)).toBe(`copy of the profile\ninternals ${row.internals}\n`)
  },
)

test.each([[[]], [['--expose-internals']]])(
  '%j: a bare name that the installation lacks comes from the overlay that names it',
  timeout,
  async (flags) => {
    await using installation = await scratch({
      ...EMPTY_BUNDLE,
      ...plugin('app/smoke/node_modules', 'the overlay'),
    })
    expect(await bootWith(installation, flags)).toContain('copy of the overlay\n')
  },
)

test('a declared package of the installation is linked for the profile', timeout, async () => {
  await using installation = await scratch({
    ...EMPTY_BUNDLE,
    ...plugin('app/node_modules', 'the installation'),
    'app/package.json': JSON.stringify({ name: 'app', type: 'module', dependencies: { copy: '1.0.0' } }),
    ...plugin('app/smoke/node_modules', 'the overlay'),
  })
  expect(await bootWith(installation, [])).toContain('copy of the installation\n')
})

test('in src mode a bare name may come from the paths of the tsconfig', timeout, async () => {
  await using installation = await scratch({
    'app/smoke/copy.patch.yml': INSERT_COPY,
    'app/tsconfig.json': JSON.stringify({ compilerOptions: { paths: { copy: ['./workspace/copy.ts'] } } }),
    'app/workspace/copy.ts': `const which: string = 'the workspace'\n${says("' + which + '")}`,
  })
  const overlays = ['model.patch.yml', 'copy.patch.yml'].map(installation.overlay)
  const { stdout } = await runLoaderSmoke(smokeOf(installation, 'src', overlays))
  expect(stdout).toContain('copy of the workspace\n')
})

const TYPESCRIPT_PLUGIN = {
  'app/smoke/node_modules/copy/package.json': JSON.stringify({ name: 'copy', type: 'module', exports: './index.ts' }),
  'app/smoke/node_modules/copy/index.ts': `const which: string = 'TypeScript'\n${says("' + which + '")}`,
  'app/smoke/copy.patch.yml': INSERT_COPY,
}

test('a .ts plugin below node_modules is explained in lib mode, and runs in src mode', timeout, async () => {
  await using installation = await scratch(TYPESCRIPT_PLUGIN)
  const overlays = ['model.patch.yml', 'copy.patch.yml'].map(installation.overlay)
  const error = await runLoaderSmoke(smokeOf(installation, 'lib', overlays)).catch((reason: unknown) => reason)
  if (!(error instanceof SmokeError) || error.verdict.kind !== 'fail') throw error
  expect(error.verdict.facts.stderr.text.replaceAll(installation.workspace.file('app'), '<app>')).toBe(
    `scratch: the entry "copy" named the plugin 'copy', which is TypeScript below node_modules (<app>/smoke/node_modules/copy/index.ts); Node strips types only of files elsewhere.
Next: point the package's exports at built JavaScript, name the file by a path outside of node_modules, or run the smoke in src mode, where tsx compiles it.
`,
  )
  const { stdout } = await runLoaderSmoke(smokeOf(installation, 'src', overlays))
  expect(stdout).toContain('copy of TypeScript\n')
})

test(
  'a package without the file that it points at is told apart from a package that is not there',
  timeout,
  async () => {
    await using installation = await scratch({
      'app/smoke/node_modules/copy/package.json': JSON.stringify({ name: 'copy', exports: './lib/index.js' }),
      'app/smoke/copy.patch.yml': INSERT_COPY,
    })
    const overlays = [installation.overlay('copy.patch.yml')]
    const error = await runLoaderSmoke(smokeOf(installation, 'lib', overlays)).catch((reason: unknown) => reason)
    if (!(error instanceof SmokeError) || error.verdict.kind !== 'fail') throw error
    expect(error.verdict.facts.stderr.text).toMatch(
      /^scratch: the entry "copy" named the plugin 'copy', and importing it ended at a missing module: Cannot find module '.*copy\/lib\/index\.js' imported from .*\.\nNext: build the package/,
    )
  },
)
