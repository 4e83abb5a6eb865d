/** Helpers for the tests of this repository. */
export { hangingPids, hangingProgram } from './hanging-program.ts'
export { assertNothingLeft } from './nothing-left.ts'
export { type RemoteCache, remoteCache } from './nx-remote-cache.ts'
export { alive, ancestors, commandLine, type LiveProcess, processesWith } from './processes.ts'
export { type TempWorkspace, tempWorkspace } from './temp-workspace.ts'
export { CTRL_C, hasTerminal, type Job, type JobOptions, startJob } from './terminal.ts'
export { waitFor } from './wait-for.ts'
