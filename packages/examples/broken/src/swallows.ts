/** An app that takes a failed turn for a detail: it says nothing and exits 0. */
import { boot, resolveConfigPath } from '@deepseek-ai/dsh-app-boot'
import { reportBootWarnings, runFixtureTurn } from '@loader-smoke/turn'

const [config = '', task = ''] = process.argv.slice(2)
const ctx = await boot('broken', resolveConfigPath(config, undefined), [], reportBootWarnings)
try {
  await runFixtureTurn(ctx, { task })
} catch {
  // This is what is broken.
}
await ctx.fiber.dispose()
