/** What is printed may be read by a program that ends early. */

/** A reader that has gone (`| head -1`) stops neither the smokes nor their reports: what is printed from then on is lost, and the exit code is the verdict's. */
export function outliveReaders(streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams)
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error
    })
}
