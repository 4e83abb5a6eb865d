/** Imports the code of a smoke file, and says so when that never ends. */
import { OptionError } from './option-error.ts'

/** Files that are being imported. */
const importing: string[] = []

let lastEndedAt = 0

/**
 * The module at `url`, which is the code of `file`.
 * @param deadlineMs how long to wait while no other import ends either: many files at a time take turns on one thread.
 * @throws OptionError for code that throws or isn't imported in time.
 */
export async function importInTime(
  url: string,
  file: string,
  deadlineMs: number,
): Promise<{ readonly default?: unknown }> {
  const deadline = quietTime(deadlineMs)
  if (importing.push(file) === 1) process.prependListener('exit', tellEnded)
  try {
    const late = deadline.passed.then(() => Promise.reject(notInTime(file, deadlineMs)))
    return (await Promise.race([import(/* @vite-ignore */ url), late])) as { readonly default?: unknown }
  } catch (cause) {
    if (cause instanceof OptionError) throw cause
    throw new OptionError(
      'config',
      `${file} can't be imported: ${(cause as Error).message}\n` +
        'Next: correct it there; Node runs it with its types stripped, so imports name files (./x.ts) and enums or namespaces are not possible.',
      cause,
    )
  } finally {
    lastEndedAt = performance.now()
    deadline.clear()
    importing.splice(importing.indexOf(file), 1)
    if (importing.length === 0) process.off('exit', tellEnded)
  }
}

/** Passes when for `deadlineMs` no import ended. Doesn't keep the process alive: one that has nothing else to do ends at once, and says so. */
function quietTime(deadlineMs: number): { readonly passed: Promise<void>; clear(): void } {
  const startedAt = performance.now()
  const { promise: passed, resolve } = Promise.withResolvers<void>()
  const look = () => {
    const leftMs = Math.max(startedAt, lastEndedAt) + deadlineMs - performance.now()
    if (leftMs <= 0) resolve()
    else timer = setTimeout(look, leftMs).unref()
  }
  let timer = setTimeout(look, deadlineMs).unref()
  return { passed, clear: () => clearTimeout(timer) }
}

function notInTime(file: string, deadlineMs: number): OptionError {
  return new OptionError(
    'config',
    `${file} was not imported within ${deadlineMs / 1_000} s: it, or what it imports, awaits what never comes, or what takes longer.\n` +
      'Next: take that out; a smoke.config only exports its smokes.',
  )
}

/** The process ends during an import: what waits for it will never speak, and the code must not be that of a pass. */
function tellEnded(): void {
  for (const file of new Set(importing))
    process.stderr.write(
      `${file} was still being imported when the process ended: it, or what it imports, called process.exit or awaits what never comes.\n` +
        'Next: take that out; a smoke.config only exports its smokes.\n',
    )
  process.exitCode = 2
}
