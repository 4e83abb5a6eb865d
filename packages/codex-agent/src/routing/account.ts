/** The account and the whole server: usage, sign-in, configuration. */
import { fromConfigWarning } from '../events/facts.ts'
import type { Meter } from '../limits/meter.ts'
import type { Chats } from '../sessions/chats.ts'
import type { Handlers } from './table.ts'

/** The handlers of what belongs to no thread; such events carry the session `''`. */
export function accountHandlers(chats: Chats, meter: Meter): Handlers {
  return {
    'account/rateLimits/updated': ({ rateLimits }) => {
      const limits = meter.update(rateLimits)
      if (limits === null) return
      for (const sessionId of chats.sessions.keys()) {
        const place = chats.placeOf(sessionId)
        if (place !== null) chats.tell(place, null, { event: 'usage_limits', ...limits })
      }
    },
    'account/updated': () => meter.forget(),
    'account/login/completed': ({ success, error }) => {
      if (success === true) chats.tellSession('', { event: 'notice', level: 'info', message: 'Signed in to Codex.' })
      else
        chats.tellSession('', {
          event: 'notice',
          level: 'error',
          message: `Signing in to Codex did not finish: ${error ?? 'no reason given'}`,
        })
    },
    configWarning: (params) => {
      const body = fromConfigWarning(params)
      if (body !== null) chats.tellSession('', body)
    },
    deprecationNotice: (params) => {
      const body = fromConfigWarning(params)
      if (body !== null) chats.tellSession('', body)
    },
  }
}
