/** One call from its words to its exit code. Each command is imported only when it is asked for. */
import { EXIT } from './exit-code.ts'
import { helpText } from './usage/help.ts'
import { parseCall } from './usage/parse.ts'
import { isWrongUse } from './usage/usage-error.ts'
import { packageVersion } from './version.ts'

/** Does what `words` ask for and resolves with the exit code. What went wrong has been told on standard error by then. */
export async function main(words: readonly string[]): Promise<number> {
  try {
    const call = await parseCall(words)
    if (call.kind === 'version') return say(`${packageVersion()}\n`)
    if (call.kind === 'help') return say(helpText(call.command, packageVersion()))
    const { operands, flags } = call
    switch (call.command) {
      case 'run':
        return await (await import('./commands/run.ts')).run(operands, flags)
      case 'list':
        return await (await import('./commands/list.ts')).list(operands, flags)
      case 'init':
        return await (await import('./commands/init.ts')).init(flags)
      case 'doctor':
        return await (await import('./commands/doctor.ts')).doctor(flags)
      case 'migrate':
        return await (await import('./commands/migrate.ts')).migrate(flags)
      case 'completion':
        return say((await import('./usage/completion.ts')).completionScript(operands[0]))
    }
  } catch (error) {
    return tell(error)
  }
}

function say(text: string): number {
  process.stdout.write(text)
  return EXIT.pass
}

/** Wrong use is told by its message; anything else is ours, and its stack is worth having. */
function tell(error: unknown): number {
  const wrongUse = isWrongUse(error)
  const text = wrongUse ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`loader-smoke: ${text}\n`)
  return wrongUse ? EXIT.usage : EXIT.error
}
