/** An app as it should be: boots the config, gives its agent the task, prints the envelope, and exits 1 when anything fails. */
import { boot, resolveConfigPath } from '@deepseek-ai/dsh-app-boot'
import { reportBootWarnings, runFixtureTurn } from '@loader-smoke/turn'

const [config = '', task = ''] = process.argv.slice(2)
try {
  const ctx = await boot('broken', resolveConfigPath(config, undefined), [], reportBootWarnings)
  try {
    const envelope = await runFixtureTurn(ctx, { task, publishTimeoutMs: 2_000 })
    process.stdout.write(`${JSON.stringify(envelope)}\n`)
  } finally {
    await ctx.fiber.dispose()
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
