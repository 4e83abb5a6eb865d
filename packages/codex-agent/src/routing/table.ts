/** Notifications by method. What is not in the table is nothing that the host needs to hear. */
import type { Notifications } from '../wire/generated/methods.ts'
import type { Notification, NotificationParams } from '../wire/messages.ts'

/** Handlers of some notifications, each with its own params. */
export type Handlers = { readonly [Method in keyof Notifications]?: (params: NotificationParams<Method>) => void }

/** Takes any notification; calls its handler at once. */
export type Route = (method: string, params: Notification) => void

/** One route from several tables. */
export function routeBy(...tables: readonly Handlers[]): Route {
  // The one place where a message gets its type: by its method, and with every field open.
  const handlers = new Map(tables.flatMap((table) => Object.entries(table))) as Map<
    string,
    (params: Notification) => void
  >
  return (method, params) => handlers.get(method)?.(params)
}
