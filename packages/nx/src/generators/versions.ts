/** Versions that generators write into package.json. */
import { createRequire } from 'node:module'

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }

/** Of this package and its siblings, which are published together. */
export const LOADER_SMOKE_VERSION: string = version

/** What a generated app boots from: the set of releases that fit together (measured; plain ranges don't). */
export const APP_DEPENDENCIES: Readonly<Record<string, string>> = {
  '@deepseek-ai/cordis': '4.0.4',
  '@deepseek-ai/cordis-plugin-group': '1.0.4',
  '@deepseek-ai/cordis-plugin-include': '1.0.9',
  '@deepseek-ai/cordis-plugin-loader': '1.0.5',
  ...Object.fromEntries(
    [
      'agent',
      'agent-loop',
      'app-boot',
      'home-paths',
      'invariants',
      'launch-environment',
      'llm',
      'llm-deepseek',
      'scope',
      'session',
      'settings',
      'system-prompt',
      'timeout',
      'tools',
    ].map((name) => [`@deepseek-ai/dsh-${name}`, '0.1.0-rc.8']),
  ),
  '@loader-smoke/model-replay': LOADER_SMOKE_VERSION,
  '@loader-smoke/turn': LOADER_SMOKE_VERSION,
}

/** What a generated build compiles with. */
export const BUILD_DEPENDENCIES: Readonly<Record<string, string>> = { '@types/node': '^24.0.0', typescript: '^7.0.0' }
