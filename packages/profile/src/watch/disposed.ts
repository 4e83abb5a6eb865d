/** Takes a tree down that can't be used. */
import type { Context } from '@deepseek-ai/cordis'

/** How long a tree may take, in milliseconds: one with a start that never ends never finishes. */
const PATIENCE_MS = 2_000

/** Disposes of `ctx` and resolves when that is done, or after two seconds. What disposers throw is left out: the boot's own error is told. */
export async function disposed(ctx: Context | null): Promise<void> {
  if (ctx === null) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, PATIENCE_MS)
  const done = Promise.resolve(ctx.fiber.dispose()).then(resolve, () => resolve())
  await Promise.race([promise, done])
  clearTimeout(timer)
}
