/** The harness' options for a broken app. */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { LoaderSmokeOptions, SmokeService } from '@loader-smoke/harness'
import { startReplayServer } from '@loader-smoke/model-replay'
import type { How } from './cases.ts'

/** Absolute path of something in this package. */
export const inBroken = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Options for `runLoaderSmoke`, but for the label. */
export function optionsOf({ bin, config, script, options }: How): Omit<LoaderSmokeOptions, 'label'> {
  const configPath = config === undefined ? undefined : inBroken(`configs/${config}.yml`)
  return {
    binScript: inBroken(bin),
    tsconfigPath: inBroken('../../../tsconfig.base.json'),
    mode: 'src',
    envMode: 'strict',
    // The loader is in node_modules, where a tsconfig's paths don't reach: the condition leads it to the sources of this repository.
    env: options?.mode === 'lib' ? {} : { NODE_OPTIONS: '--conditions=@loader-smoke/source' },
    ...(configPath !== undefined && { configPath, binArgs: [configPath, 'Say something.'] }),
    ...(script !== undefined && { services: [modelFrom(inBroken(`scripts/${script}.yml`))] }),
    ...options,
  }
}

/** Builds this package and what it depends on; nothing happens when the output is current. */
export async function build(): Promise<void> {
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
  await promisify(execFile)(process.execPath, [join(typescript, 'bin', 'tsc'), '-b', inBroken('.')])
}

/** A model server outside of the app, which tells what the app made of its answers. */
function modelFrom(script: string): SmokeService {
  return {
    name: 'model',
    async start() {
      const server = await startReplayServer({ script })
      return {
        env: { DEEPSEEK_BASE_URL: server.url, DEEPSEEK_API_KEY: 'keyless' },
        report: () => ({ failures: server.problems() }),
        stop: () => server.close(),
      }
    },
  }
}
