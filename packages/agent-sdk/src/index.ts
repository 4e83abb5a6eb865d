/** The agent protocol, the host API, and a JSON-lines transport over a program's pipes. */
export type * from './host/host.ts'
export type * from './host/process.ts'
export type * from './protocol/agent.ts'
export type * from './protocol/approval.ts'
export type * from './protocol/event.ts'
export type * from './protocol/option.ts'
export type * from './protocol/question.ts'
export type * from './protocol/run.ts'
export type * from './protocol/session.ts'
export type * from './protocol/task.ts'
export type * from './protocol/tool-call.ts'
export type * from './protocol/usage.ts'
export {
  connect,
  type Connection,
  type ConnectionHandlers,
  type ConnectionLimits,
  type IncomingRequest,
  type RequestId,
} from './transport/connection.ts'
export { ClosedError, methodNotFound, RefusedError } from './transport/errors.ts'
export { redact } from './transport/redact.ts'
export { keepTail } from './transport/tail.ts'
