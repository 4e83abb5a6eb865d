/** Writes an answer to the wire. */
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Frame } from '../answer/answer.ts'

/** How an answer is written. */
export interface Pace {
  /** Wait between frames in ms. */
  readonly chunkDelayMs: number
  /** Resolves when the gate is released; rejects with the signal's reason when the client leaves. */
  readonly waitAt: (gate: string, signal: AbortSignal) => Promise<void>
  /** Aborted when the client leaves or the server closes. */
  readonly signal: () => AbortSignal
}

/** Writes `frames` in order and ends the response. Rejects when the signal of `pace` is aborted. */
export async function sendFrames(response: ServerResponse, frames: readonly Frame[], pace: Pace): Promise<void> {
  if (pace.chunkDelayMs === 0) {
    await sendAtOnce(response, frames, pace)
    return
  }
  for (const [index, frame] of frames.entries()) {
    if (typeof frame !== 'string') await pace.waitAt(frame.gate, pace.signal())
    else {
      if (index > 0) await delay(pace.chunkDelayMs, undefined, { signal: pace.signal() })
      response.write(frame)
    }
  }
  response.end()
}

/** One write up to each gate: the fewest packets. */
async function sendAtOnce(response: ServerResponse, frames: readonly Frame[], pace: Pace): Promise<void> {
  let pending = ''
  for (const frame of frames) {
    if (typeof frame === 'string') pending += frame
    else {
      if (pending === '') response.flushHeaders()
      else response.write(pending)
      pending = ''
      await pace.waitAt(frame.gate, pace.signal())
    }
  }
  response.end(pending)
}
