#!/usr/bin/env node
/** The program `loader-smoke`. Imports nothing before it is known that this Node can run the rest. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const tooOld = major < 22 || (major === 22 && minor < 18) || major === 23
// `doctor` says the same among its other findings, and needs nothing that an older Node doesn't have.
if (tooOld && process.argv[2] !== 'doctor') {
  process.stderr.write(
    `loader-smoke needs Node 22.18 or newer, or 24 and newer, got ${process.version}.\nNext: install such a Node, or put it first in PATH.\n`,
  )
  process.exitCode = 2
} else {
  const { guardEnd } = await import('./guard-end.ts')
  const { outliveReaders } = await import('./outlive-readers.ts')
  outliveReaders([process.stdout, process.stderr])
  const end = guardEnd()
  const { main } = await import('./main.ts')
  // Not awaited: Node would point here when the call waits for something that never comes.
  void main(process.argv.slice(2)).then(end)
}
