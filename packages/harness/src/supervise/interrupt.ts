/** Registers what must be undone when this process is interrupted while runs are alive. */

/**
 * Registers `undo` (a world to remove): when this process gets INT, TERM, HUP, loses its IPC channel or exits, every supervised
 * tree is ended first, then each `undo` that is still registered is called, synchronously, then the process dies by the same signal.
 * Returns a function that takes the registration back; call it when the thing is gone the normal way.
 */
export function onInterrupt(undo: () => void): () => void {
  undos.add(undo)
  return () => undos.delete(undo)
}

const undos = new Set<() => void>()
