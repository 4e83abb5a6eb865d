/** THE table of commands and flags: parsing, help and shell completion are derived from it. */

/** One flag. */
export interface Flag {
  /** One sentence. */
  readonly says: string
  /** Name of its value in the help; a flag without one is on or off. */
  readonly value?: string
  /** The only values allowed. */
  readonly values?: readonly string[]
  /** The value meant when the flag is given alone. */
  readonly alone?: string
  readonly integer?: { readonly min: number; readonly max: number }
  readonly short?: string
  /** May be given several times. */
  readonly many?: true
}

/** One command. */
export interface Command {
  readonly says: string
  /** Names of what may follow the flags, for the help; nothing may when it is left out. */
  readonly operands?: string
  readonly flags: Readonly<Record<string, Flag>>
}

const config = {
  says: 'A smoke.config file to take instead of those that are found.',
  value: 'file',
  many: true,
} as const
const json = { says: 'Print JSON on standard output, and nothing else.' } as const
const mode = {
  says: 'Run the TypeScript source (src) or the built output (lib); else the file, else DSH_EXAMPLE_MODE decides.',
  value: 'mode',
  values: ['src', 'lib'],
} as const
const filter = {
  says: 'Take only smokes whose label, or the path of whose folder, contains the pattern (* for any text); of several patterns, one is enough.',
  value: 'pattern',
  many: true,
} as const

/** Every command by name. */
export const commands = {
  run: {
    says: 'Run smokes and judge them.',
    operands: '[labels…]',
    flags: {
      config,
      filter,
      mode,
      task: { says: 'The task for the root agent, instead of the declared one.', value: 'text' },
      args: {
        says: 'The complete arguments of the bin, instead of the declared ones; quotes group words.',
        value: 'text',
      },
      timeout: {
        says: 'How long each bin may run, in milliseconds.',
        value: 'ms',
        integer: { min: 1, max: 2_147_483_647 },
      },
      jobs: {
        says: 'How many smokes run at a time (default: one for each processor).',
        value: 'n',
        integer: { min: 1, max: 1_024 },
        short: 'j',
      },
      bail: { says: 'Start no further smoke after one that did not pass.' },
      repeat: { says: 'Run each smoke so many times; each must pass.', value: 'n', integer: { min: 1, max: 10_000 } },
      reporter: {
        says: 'A further report beside the text and report.json, which are always made.',
        value: 'name',
        values: ['html', 'junit', 'github'],
        many: true,
      },
      output: { says: 'Folder for report files (default: .smoke).', value: 'folder' },
      stream: {
        says: 'Show what the bins print while they run, line by line (with --json on standard error).',
      },
      'keep-world': {
        says: 'Keep the folder of each run, or only of those that fail.',
        value: 'when',
        values: ['always', 'on-failure', 'never'],
        alone: 'always',
      },
      inspect: { says: 'Start the bin of one smoke under the debugger (127.0.0.1:9229), without a deadline.' },
      watch: { says: 'Run again whenever a file below the current folder changes.' },
      json,
    },
  },
  list: { says: 'List the smokes that would run.', operands: '[labels…]', flags: { config, filter, mode, json } },
  init: {
    says: 'Write a smoke.config.json, the scripts of package.json and the tasks of turbo.json.',
    flags: {
      bin: {
        says: 'The source file of the entry point (default: the first of src/bin.ts, src/main.ts, src/index.ts).',
        value: 'file',
      },
      config: {
        says: 'The configuration the bin is given (default: cordis.yml or cordis.yaml, if there).',
        value: 'file',
      },
      task: { says: 'The task for the root agent.', value: 'text' },
      'dry-run': { says: 'Say what would be written, and write nothing.' },
    },
  },
  doctor: {
    says: 'Tell what this machine and project give, what is wrong, and how to put it right.',
    flags: { config, json },
  },
  migrate: {
    says: 'Rewrite imports and dependencies of another smoke harness to this one, and tell what is left to do.',
    flags: {
      from: {
        says: 'The package that tests import today (default: @deepseek-ai/dsh-loader-smoke).',
        value: 'package',
      },
      'dry-run': { says: 'Say what would be written, and write nothing.' },
    },
  },
  completion: { says: 'Print a completion script for a shell.', operands: '<bash|zsh|fish>', flags: {} },
} as const satisfies Readonly<Record<string, Command>>

/** The name of a command. */
export type CommandName = keyof typeof commands

/** The command as a row of the table. */
export function commandOf(name: CommandName): Command {
  return commands[name]
}
