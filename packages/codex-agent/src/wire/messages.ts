/**
 * Messages as they arrive. The generated types say what version 0.171.0 sends; another version may leave a field out or add one, so
 * every field of an incoming message may be missing, and what reads it is checked against the names of the pinned version.
 */
import type { Notifications, Requests, ServerRequests } from './generated/methods.ts'
import type { ThreadItem } from './generated/types.ts'

type Primitive = string | number | bigint | boolean | null | undefined
type KeyOf<T> = T extends unknown ? keyof T : never
type ValueOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never
type ElementOf<T> = T extends readonly (infer Element)[] ? Element : never
type Fields<T> = [T] extends [never] ? never : { readonly [K in KeyOf<T>]?: Incoming<ValueOf<T, K>> }
type List<T> = [T] extends [never] ? never : readonly Incoming<ElementOf<T>>[]

/** A protocol type as it may really arrive: every field may be missing or null, and the variants of a union are one object. */
export type Incoming<T> = unknown extends T
  ? unknown
  : | Extract<T, Primitive>
    | null
    | undefined
    | List<Extract<T, readonly unknown[]>>
    | Fields<Exclude<T, Primitive | readonly unknown[]>>

/** The params of any notification, before its method has said what they are. */
export type Notification = Readonly<Record<string, unknown>>

/** The params of one notification. */
export type NotificationParams<Method extends keyof Notifications> = NonNullable<Incoming<Notifications[Method]>>

/** The params of one request of the server. */
export type ServerRequestParams<Method extends keyof ServerRequests> = NonNullable<
  Incoming<ServerRequests[Method]['params']>
>

/** The answer to one request of ours. */
export type Answer<Method extends keyof Requests> = NonNullable<Incoming<Requests[Method]['result']>>

/** A thread item, whatever its kind. */
export type Item = NonNullable<Incoming<ThreadItem>>

/** A turn as notifications and lists carry it. */
export type Turn = NonNullable<NotificationParams<'turn/completed'>['turn']>

/** A thread's record. */
export type Thread = NonNullable<Answer<'thread/read'>['thread']>

/** Joins the texts of a list, leaving out what is missing. */
export function joined(texts: readonly (string | null | undefined)[] | null | undefined, separator: string): string {
  return (texts ?? []).filter((text) => text !== null && text !== undefined && text !== '').join(separator)
}
