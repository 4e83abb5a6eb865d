/** Which Node a run needs: the stages use what older ones don't have, and would say so in words of their own. */
import { OptionError } from './config/option-error.ts'

/** @throws OptionError on a Node that is too old, with its version: for runners that is a refusal like any other, and no error of ours. */
export function checkNodeVersion(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major >= 24 || (major === 22 && minor >= 18)) return
  throw new OptionError(
    'node',
    `@loader-smoke/harness needs Node 22.18 or newer, or 24 and newer, got ${version}.\nNext: install such a Node, or put it first in PATH.`,
  )
}
