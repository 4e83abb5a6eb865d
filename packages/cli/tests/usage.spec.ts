import { execFileSync, spawnSync } from 'node:child_process'
import { tempWorkspace } from '@loader-smoke/testkit'
import { describe, expect, it } from 'vitest'
import { commands } from '../src/usage/commands.ts'
import { completionScript } from '../src/usage/completion.ts'
import { helpText } from '../src/usage/help.ts'
import { BIN, call } from './program.ts'

/** What bash offers at the end of `line`. */
const bash = async (line: string, cwd: string) => {
  await using folder = await tempWorkspace({ 'completion.sh': completionScript('bash') })
  const words = line.split(' ')
  const script = `loader-smoke() { ${process.execPath} --conditions=@loader-smoke/source ${BIN} "$@"; }
    source ${folder.file('completion.sh')}
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _loader_smoke; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', script], { encoding: 'utf8', cwd }).trim().split('\n')
}

describe('the help', () => {
  it('names every command, and of each every flag with its sentence', () => {
    const overview = helpText(null, '1.2.3')
    for (const [name, { says, flags }] of Object.entries(commands)) {
      expect(overview).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
      const help = helpText(name as keyof typeof commands, '1.2.3').replace(/\s+/g, ' ')
      expect(help).toContain(says)
      for (const [flag, row] of Object.entries(flags)) {
        expect(help).toContain(`--${flag}`)
        expect(help).toContain(row.says)
      }
    }
  })

  it('fits a terminal of 100 columns', () => {
    const all = [null, ...Object.keys(commands)].map((name) => helpText(name as null, '1.2.3')).join('')
    const lines = all.split('\n').filter((line) => line.startsWith('  '))
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100)
  })

  it('takes little time', () => {
    const started = process.cpuUsage()
    const program = `process.argv[2] = '--help'; await import(${JSON.stringify(BIN)}); const { user, system } = process.cpuUsage(); process.stderr.write(String(user + system))`
    const { stderr } = spawnSync(
      process.execPath,
      ['--conditions=@loader-smoke/source', '--input-type=module', '-e', program, 'x'],
      { encoding: 'utf8' },
    )
    expect(started.user).toBeGreaterThan(0)
    // Ten times the figure of 80 ms.
    expect(Number(stderr) / 1000).toBeLessThan(800)
  })
})

describe('completion', () => {
  it('of bash knows commands, flags, values and labels', async () => {
    await using folder = await tempWorkspace({
      'smoke.config.json': '{"fixtures": [{"label": "alpha", "bin": "a.ts"}, {"label": "beta", "bin": "b.ts"}]}',
      'tsconfig.json': '{}',
    })
    expect(await bash('loader-smoke ', folder.path)).toEqual(['run', 'list', 'init', 'doctor', 'migrate', 'completion'])
    expect(await bash('loader-smoke run --re', folder.path)).toEqual(['--repeat', '--reporter'])
    expect(await bash('loader-smoke run --mode ', folder.path)).toEqual(['src', 'lib'])
    expect(await bash('loader-smoke run al', folder.path)).toEqual(['alpha'])
    expect(await bash('loader-smoke completion ', folder.path)).toEqual(['bash', 'zsh', 'fish'])
  })

  it('of zsh and fish is there, and of others is refused', async () => {
    expect(completionScript('zsh')).toMatch(/^#compdef loader-smoke\n/)
    expect(completionScript('fish')).toContain(
      "complete -c loader-smoke -n '__fish_seen_subcommand_from run' -l mode -xa 'src lib'",
    )
    const { code, stderr } = await call(['completion', 'tcsh'], { cwd: '/' })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'loader-smoke: completion must be given bash, zsh, fish, got "tcsh".\nNext: for instance `loader-smoke completion bash >> ~/.bashrc`.\n',
    })
  })
})
