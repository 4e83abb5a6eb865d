/** Runs a short program through the host and collects what it prints. */
import type { HostApi } from '../host/host.ts'
import type { ProcessExit } from '../host/process.ts'

const maxOutputBytes = 1024 * 1024

/**
 * Resolves when the program has ended and its output is read; `exit` is `null` when it was stopped at `deadlineMs`.
 * Output beyond 1 MiB is dropped. Rejects when the program can't be started.
 */
export async function runToEnd(
  host: HostApi,
  program: string,
  args: readonly string[],
  deadlineMs: number,
): Promise<{ readonly exit: ProcessExit | null; readonly stdout: string }> {
  const child = await host.process.spawn(program, args, {})
  const chunks: Buffer[] = []
  let bytes = 0
  child.stdout.on('data', (chunk: Buffer | string) => {
    const buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    if (bytes < maxOutputBytes) chunks.push(buffer)
    bytes += buffer.length
  })
  child.stderr.resume()
  // A program that has ended answers a late write with an error; its exit says more.
  child.stdin.on('error', () => {})
  child.stdin.end()
  const read = new Promise<void>((resolve) => {
    child.stdout.once('end', resolve)
    child.stdout.once('error', () => resolve())
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, deadlineMs, null)
  })
  const exit = await Promise.race([Promise.all([child.exited, read]).then(([exit]) => exit), late])
  clearTimeout(timer)
  if (exit === null) await child.stop()
  return { exit, stdout: Buffer.concat(chunks).toString('utf8') }
}
