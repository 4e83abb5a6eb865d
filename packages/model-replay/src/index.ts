/** A loopback model server that answers from a script, for agents without a key. */
export type { Dialect } from './ask/ask.ts'
export { requestRows, type RequestRow, requestTable } from './report/request-table.ts'
export { loadScript, ScriptError } from './script/load.ts'
export type { ExpectObject, FaultKind, ScriptObject, TextTest, ToolCallObject, TurnObject } from './script/schema.ts'
export type { Usage } from './script/script.ts'
export type { Outcome, RecordedRequest } from './serve/records.ts'
export { type ReplayOptions, type ReplayServer, startReplayServer } from './serve/server.ts'
export { type ModelOptions, modelService, type RunningModelService } from './service.ts'
