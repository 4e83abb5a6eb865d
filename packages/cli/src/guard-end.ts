/** Whatever runs in the process of the program, it never ends with the code of a pass before its command has ended. */
import { EXIT } from './exit-code.ts'

/**
 * Until the returned function is called with the command's exit code, an end of the process counts as an error: a smoke.config.ts, and what it imports, run in here
 * and can call `process.exit`, throw from a timer, or leave a promise that nothing will settle. Once it has ended, nothing keeps the process.
 */
export function guardEnd(): (code: number) => void {
  process.once('exit', tellEarly)
  return (code) => {
    process.off('exit', tellEarly)
    process.exitCode = code
    void endWhenPrinted()
  }
}

/** A timer or a server that a smoke.config left open would hold the process for ever; what was printed reaches its reader first. */
async function endWhenPrinted(): Promise<void> {
  const printed = [process.stdout, process.stderr].map(
    (stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
  )
  await Promise.all(printed)
  process.exit()
}

function tellEarly(code: number): void {
  // Whoever changed the code has told why.
  if (Number(process.exitCode ?? 0) !== code) return
  process.stderr.write(
    `loader-smoke: the process ended with code ${code} before the call did; nothing that it printed is a verdict.\n` +
      'Next: look in smoke.config.ts, its hooks and what it imports for process.exit, for an error thrown from a callback, and for a promise that is never settled.\n',
  )
  process.exitCode = EXIT.error
}
