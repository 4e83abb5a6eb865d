/** Completion scripts for shells, from the table; labels are asked of `loader-smoke list` when they are wanted. Pure. */
import { type Command, commands } from './commands.ts'
import { UsageError } from './usage-error.ts'

const SHELLS = { bash, zsh, fish } as const

/** The script for a shell. @throws UsageError for another one. */
export function completionScript(shell: string | undefined): string {
  if (shell !== undefined && Object.hasOwn(SHELLS, shell)) return SHELLS[shell as keyof typeof SHELLS]()
  const names = Object.keys(SHELLS)
  throw new UsageError(
    `completion must be given ${names.join(', ')}, got ${shell === undefined ? 'nothing' : JSON.stringify(shell)}.\n` +
      'Next: for instance `loader-smoke completion bash >> ~/.bashrc`.',
  )
}

const rows = Object.entries<Command>(commands)
const flagsOf = ({ flags }: Command) => Object.keys(flags).map((name) => `--${name}`)

function bash(): string {
  const perCommand = rows.map(([name, command]) => `    ${name}) words="${flagsOf(command).join(' ')}" ;;`)
  const values = rows.flatMap(([, { flags }]) =>
    Object.entries(flags).flatMap(([name, { values }]) =>
      values === undefined ? [] : [`    --${name}) words="${values.join(' ')}" ;;`],
    ),
  )
  return `# loader-smoke completion for bash
_loader_smoke() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${rows.map(([name]) => name).join(' ')}" -- "$current"))
    return
  fi
  case "$before" in
${[...new Set(values)].join('\n')}
    --output|--config|--bin) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case "$command" in
${perCommand.join('\n')}
  esac
  case "$command$current" in run|list|run[!-]*|list[!-]*) words="$words $(loader-smoke list --json 2>/dev/null | sed -n 's/^ *"label": "\\([A-Za-z0-9_.@/-]*\\)".*/\\1/p')" ;; esac
  case "$command" in completion) words="bash zsh fish" ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _loader_smoke loader-smoke
`
}

function zsh(): string {
  return `#compdef loader-smoke
# loader-smoke completion for zsh
autoload -U +X bashcompinit && bashcompinit
${bash()}`
}

function fish(): string {
  const seen = 'not __fish_seen_subcommand_from'
  const names = rows.map(([name]) => name).join(' ')
  const lines = rows.flatMap(([command, { says, flags }]) => [
    `complete -c loader-smoke -f -n '${seen} ${names}' -a ${command} -d ${quote(says)}`,
    ...Object.entries(flags).map(
      ([name, row]) =>
        `complete -c loader-smoke -n '__fish_seen_subcommand_from ${command}' -l ${name}${row.short === undefined ? '' : ` -s ${row.short}`}${row.value === undefined ? '' : row.values === undefined ? ' -r' : ` -xa '${row.values.join(' ')}'`} -d ${quote(row.says)}`,
    ),
  ])
  return `# loader-smoke completion for fish\n${lines.join('\n')}\n`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`
}
