/** The example as the tests run it. */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Absolute path of something in the example's package. */
export const inExample = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The task that model-script.yml answers. */
const TASK = 'Write the answer into note.txt, sign it and tell me what it says.'

/** The harness' options, but for the mode; nothing of the tester's environment gets in. */
export const smoke = {
  label: 'example-codex',
  binScript: inExample('src/bin.ts'),
  configPath: inExample('cordis.yml'),
  tsconfigPath: inExample('../../../tsconfig.base.json'),
  binArgs: [inExample('cordis.yml'), TASK],
  turn: 'required',
  envMode: 'strict',
  homes: { CODEX_HOME: '.codex' },
  // The loader is in node_modules, where a tsconfig's paths don't reach: the condition leads it to the sources of this repository.
  env: { NODE_OPTIONS: '--conditions=@loader-smoke/source' },
} as const

/** Builds the example and what it depends on; nothing happens when the output is current. */
export async function build(): Promise<void> {
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
  await promisify(execFile)(process.execPath, [join(typescript, 'bin', 'tsc'), '-b', inExample('.')])
}
