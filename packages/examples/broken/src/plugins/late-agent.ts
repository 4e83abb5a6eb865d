/** Publishes the app's only agent some time after the loader has settled, as an app does that reads a session back first. */
import type { Context } from '@deepseek-ai/cordis'
import '@deepseek-ai/dsh-agent'
import { SessionId } from '@deepseek-ai/dsh-session'

export const name = 'late-agent'
export const inject = ['agents', 'agentLoop']

export function apply(ctx: Context): void {
  ctx.effect(() => {
    const timer = setTimeout(() => {
      void ctx.agents.create({
        sessionId: SessionId('late'),
        meta: { cwd: process.cwd() },
        agentOptions: { provider: 'deepseek-official', model: 'deepseek-v4-flash' },
      })
    }, 200)
    return () => clearTimeout(timer)
  })
}
