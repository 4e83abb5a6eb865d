/**
 * The app's entry point: boots a config, gives its one agent one task, and prints what happened.
 *
 * `example-codex <config> <task>` prints each event of the turn as a line of JSON, and the envelope as the last one.
 * Exit codes: 0 the turn completed · 1 it failed, or the app did not boot · 64 wrong usage.
 */
import { boot, installFailLoud, resolveConfigPath } from '@deepseek-ai/dsh-app-boot'
import { reportBootWarnings, runFixtureTurn } from '@loader-smoke/turn'

const NAME = 'example-codex'

async function main(config: string, task: string): Promise<void> {
  const ctx = await boot(NAME, resolveConfigPath(config, undefined), [], reportBootWarnings)
  try {
    const envelope = await runFixtureTurn(ctx, {
      task,
      onEvent: (sessionId, event) => print({ type: 'event', sessionId, event }),
    })
    print(envelope)
  } finally {
    await ctx.fiber.dispose()
  }
}

function print(line: unknown): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

const [config, task] = process.argv.slice(2)
if (config === undefined || task === undefined) {
  process.stderr.write(`usage: ${NAME} <config> <task>\n`)
  process.exitCode = 64
} else {
  installFailLoud(NAME)
  try {
    await main(config, task)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
