/** Boots the app with the config it is given, gives its one agent one task, and prints the envelope. */
import { boot } from '@deepseek-ai/dsh-app-boot'
import { greeting } from '@demo/greeting'
import { reportBootWarnings, runFixtureTurn } from '@loader-smoke/turn'

const [config = '', task = ''] = process.argv.slice(2)
console.log(greeting)
const ctx = await boot('demo-agent', config, [], reportBootWarnings)
try {
  console.log(JSON.stringify(await runFixtureTurn(ctx, { task })))
} finally {
  await ctx.fiber.dispose()
}
