/** Runs a program so that its whole process tree is gone when it has ended. */
export { probeContainment } from './containment.ts'
export { onInterrupt } from './interrupt.ts'
export { supervise } from './supervise.ts'
export { SuperviseError, type SuperviseStage } from './supervise-error.ts'
export type { ContainmentLevel, Ending, Supervised, SuperviseSpec, Survivor } from './types.ts'
