/** Which Node a run needs: the stages use what older ones don't have, and would say so in words of their own. */

/** @throws Error on a Node that is too old, with its version. */
export function checkNodeVersion(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major >= 24 || (major === 22 && minor >= 18)) return
  throw new Error(
    `@loader-smoke/harness needs Node 22.18 or newer, or 24 and newer, got ${version}.\nNext: install such a Node, or put it first in PATH.`,
  )
}
