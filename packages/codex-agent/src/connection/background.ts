/** Work that notifications start and nobody waits for: one job after the other, in the order in which they were offered. */
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import * as Queue from 'effect/Queue'

/** The queue of one agent. */
export interface Background {
  /** Never blocks and loses nothing, also before the consumer has started. A job that fails is over; the next one runs. */
  offer(job: Effect.Effect<void>): void
  /** Ends the running job and drops the waiting ones. */
  stop(): Promise<void>
}

/** Starts the consumer; it holds nothing that keeps Node alive. */
export function startBackground(): Background {
  const queue = Effect.runSync(Queue.unbounded<Effect.Effect<void>>())
  const consumer = Effect.runFork(Effect.forever(Effect.flatMap(Queue.take(queue), (job) => Effect.ignoreCause(job))))
  return {
    offer: (job) => {
      Queue.offerUnsafe(queue, job)
    },
    stop: () => Effect.runPromise(Fiber.interrupt(consumer)),
  }
}
