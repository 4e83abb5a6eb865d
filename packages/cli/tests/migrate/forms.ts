/** Twenty files as they are found in repositories of the peer's users, each with another way to import it. */

const PEER = '@deepseek-ai/dsh-loader-smoke'
const MODE = `expect(resolveExampleMode('lib')).toBe('lib')`
const TABLE = `expect(resolveExampleLaunch({ srcBin: '/p/src/bin.ts', mode: 'lib' }).args).toEqual(['/p/lib/bin.js'])`

const spec = (imports: string, body: string) =>
  `${imports}\nimport { expect, test } from 'vitest'\n\ntest('it works', async () => {\n  ${body}\n})\n`

const smokeOf = (bin: string) =>
  `binScript: fileURLToPath(new URL('../src/${bin}.ts', import.meta.url)), libBinScript: fileURLToPath(new URL('../src/${bin}.ts', import.meta.url)), configPath: '/none.yml', tsconfigPath: fileURLToPath(new URL('../tsconfig.json', import.meta.url))`

/** Path below the repository → content. */
export const twentyFiles: Readonly<Record<string, string>> = {
  'a/tests/braces.spec.ts': spec(`import { resolveExampleMode } from '${PEER}'`, MODE),
  'a/tests/double-quotes.spec.ts': spec(`import { resolveExampleMode } from "${PEER}";`, MODE),
  'a/tests/many-lines.spec.ts': spec(
    `import {\n  resolveExampleLaunch,\n  resolveExampleMode,\n} from '${PEER}'`,
    `${MODE}\n  ${TABLE}`,
  ),
  'a/tests/types.spec.ts': spec(
    `import type { ExampleMode } from '${PEER}'\nimport { resolveExampleMode } from '${PEER}'`,
    `const mode: ExampleMode = resolveExampleMode('lib')\n  expect(mode).toBe('lib')`,
  ),
  'a/tests/inline-type.spec.ts': spec(
    `import { type ExampleLaunch, resolveExampleLaunch } from '${PEER}'`,
    `const launch: ExampleLaunch = resolveExampleLaunch({ srcBin: '/p/src/bin.ts', mode: 'lib' })\n  expect(launch.args).toHaveLength(1)`,
  ),
  'a/tests/namespace.spec.ts': spec(
    `import * as smoke from '${PEER}'`,
    `expect(smoke.EXAMPLE_MODE_ENV).toBe('DSH_EXAMPLE_MODE')`,
  ),
  'a/tests/alias.spec.ts': spec(
    `import { resolveExampleMode as modeOf } from '${PEER}'`,
    `expect(modeOf('src')).toBe('src')`,
  ),
  'a/tests/comment.spec.ts': spec(
    `import {\n  // how long a test may take\n  LOADER_SMOKE_TEST_TIMEOUT_MS, /* ms */\n} from '${PEER}'`,
    `expect(LOADER_SMOKE_TEST_TIMEOUT_MS).toBe(45_000)`,
  ),
  'a/tests/dynamic.spec.ts': spec('', `const { resolveExampleMode } = await import('${PEER}')\n  ${MODE}`),
  'a/tests/require.spec.ts': spec(
    `import { createRequire } from 'node:module'\n\nconst require = createRequire(import.meta.url)`,
    `expect(Object.keys(require('${PEER}'))).toContain('runLoaderSmoke')`,
  ),
  'b/tests/mock.spec.ts': `import { resolveExampleMode } from '${PEER}'\nimport { expect, test, vi } from 'vitest'\n\nvi.mock('${PEER}', async (original) => ({\n  ...(await original<typeof import('${PEER}')>()),\n  resolveExampleMode: () => 'lib',\n}))\n\ntest('is replaced', () => {\n  expect(resolveExampleMode('src')).toBe('lib')\n})\n`,
  'b/tests/import-type.spec.ts': spec(
    '',
    `const options: import('${PEER}').ExampleLaunchOptions = { srcBin: '/p/src/bin.ts' }\n  expect(options.srcBin).toContain('/src/')`,
  ),
  'b/tests/again.ts': `export { resolveExampleMode } from '${PEER}'\nexport type { LoaderSmokeResult } from '${PEER}'\n`,
  'b/tests/again.spec.ts': spec(`import { resolveExampleMode } from './again.ts'`, MODE),
  'b/tests/all.mts': `export * from '${PEER}'\n`,
  'b/tests/all.spec.mts': spec(`import { resolveExampleMode } from './all.mts'`, MODE),
  'b/tests/side-effect.spec.ts': spec(`import '${PEER}'`, `expect(import.meta.url).toContain('side-effect')`),
  'b/src/bin.ts': `import { type FixtureTurnResult, runFixtureTurn } from '${PEER}'

// An app with an agent of its own: what it is told comes back.
const listeners: ((session: object, event: object) => void)[] = []
const session = { id: 'main' }
const say = (type: string, data: object) => listeners.forEach((listener) => listener(session, { type, data }))
const agent = {
  session,
  whenIdle: async () => {},
  followup(message: { id: string; content: { text: string }[] }) {
    say('agent/inbox/spliced', { inserted: [message] })
    say('assistant/message', { turn: 1, step: 1, message: { content: [{ type: 'text', text: \`heard: \${message.content[0]?.text}\` }] } })
    say('turn/end', { turn: 1, reason: { kind: 'completed' } })
  },
}
const ctx = {
  get: () => ({ roots: () => [agent] }),
  on(name: string, listener: (session: object, event: object) => void) {
    if (name === 'session/event') listeners.push(listener)
    return () => {}
  },
  sessions: { flush: async () => {} },
}
const result: FixtureTurnResult = await runFixtureTurn(ctx as never, { task: 'hello' })
console.log(JSON.stringify(result))
`,
  'b/tests/smoke.spec.ts': spec(
    `import { fileURLToPath } from 'node:url'\nimport { LOADER_SMOKE_TEST_TIMEOUT_MS, runLoaderSmoke } from '${PEER}'`,
    `const { stdout } = await runLoaderSmoke({ label: 'bin', tempDirPrefix: 'bin-', ${smokeOf('bin')}, binArgs: [] })\n  expect(JSON.parse(stdout)).toEqual({ type: 'result', sessionId: 'main', output: 'heard: hello' })`,
  ).replace(/\}\)\n$/, '}, LOADER_SMOKE_TEST_TIMEOUT_MS)\n'),
  'b/tests/options.spec.ts': spec(
    `import { fileURLToPath } from 'node:url'\nimport { type LoaderSmokeOptions, runLoaderSmoke } from '${PEER}'`,
    `const options: LoaderSmokeOptions = { label: 'bin', tempDirPrefix: 'bin-', ${smokeOf('bin')}, binArgs: [], expectedExitCode: 7, processTimeoutMs: 20_000 }\n  await expect(runLoaderSmoke(options)).rejects.toThrow('bin exited 0 (expected 7). stdout:\\n')`,
  ),
}

/** What is around them. */
export const repository: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({ name: 'repository', private: true, type: 'module', workspaces: ['a', 'b'], overrides: { [PEER]: { '@deepseek-ai/cordis': '4.0.4' } } }, null, 2)}\n`,
  'a/package.json': `{\n\t"name": "a",\n\t"type": "module",\n\t"devDependencies": {\n\t\t"${PEER}": "workspace:*",\n\t\t"vitest": "^5"\n\t}\n}\n`,
  'b/package.json': `{\r\n  "name": "b",\r\n  "type": "module",\r\n  "dependencies": { "zod": "4.6.7", "${PEER}": "0.0.1-rc.1" }\r\n}\r\n`,
  'b/tsconfig.json': '{}',
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'es2024',
      lib: ['es2024', 'esnext.disposable'],
      module: 'nodenext',
      types: ['node'],
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
    },
    include: ['a', 'b'],
  }),
  'vitest.config.mjs': `export default { test: { include: ['*/tests/*.spec.{ts,mts}'], maxWorkers: 1, pool: 'threads', testTimeout: 60_000 } }\n`,
}
