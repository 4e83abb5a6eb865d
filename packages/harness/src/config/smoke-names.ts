/** The names that a smoke's options may have in code. Apart from `check-names.ts`, which an import of the package loads: this needs the whole table. */
import { expectationNames } from './check-expectations.ts'
import type { KnownNames } from './check-names.ts'
import { type OptionName, optionRow, options } from './options.ts'
import { ownNames } from './smoke-config.ts'

const DECLARED = 'where a smoke is declared (smoke.config, a target)'

/** What `runLoaderSmoke` takes: the names that the table has for code. */
export const smokeNames: KnownNames = {
  of: 'a smoke',
  names: Object.keys(options).filter((name) => optionRow(name as OptionName).only !== 'declared'),
  elsewhere: new Map([
    ...expectationNames.map((name): [string, string] => [name, `give it in expect: { ${name} }.`]),
    ...[...ownNames].map(([alias, name]): [string, string] => [
      alias,
      `in code, give ${name}; ${alias} is its name ${DECLARED}.`,
    ]),
    ['task', `in code, give binArgs: [configPath, task] and turn: 'required'; task is known only ${DECLARED}.`],
    ['model', "in code, give services: [modelService({ script })], with modelService of '@loader-smoke/model-replay'."],
    ['passEnv', `in code, give env: { NAME: process.env.NAME }; passEnv is known only ${DECLARED}.`],
    ['fixtures', 'call once for each fixture; several in one are for a smoke.config.'],
    ['fixture', 'give it beside smokeConfig, the file that declares it, or take it out.'],
    ['srcBin', 'give binScript; srcBin is its name in resolveExampleLaunch.'],
    ['configArgs', 'give binArgs; configArgs is its name in resolveExampleLaunch.'],
  ]),
}
