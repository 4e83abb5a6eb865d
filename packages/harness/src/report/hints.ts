/** What to do next about a failed run: one sentence for each thing that its facts give away. Pure. */
import type { SmokeSpec } from '../config/resolve.ts'
import type { Facts } from '../observe/facts.ts'
import { shortfallOf } from '../supervise/shortfall.ts'
import { endMet } from '../verdict/checks.ts'

type Hint = (spec: SmokeSpec, facts: Facts) => string | null

/** Sentences without their "Next: ", the most telling first. None for an interrupted run: how it ended was our doing. */
export function hintsFor(spec: SmokeSpec, facts: Facts): string[] {
  if (facts.interrupted !== null) return []
  return hints.flatMap((hint) => hint(spec, facts) ?? [])
}

const missingConfig: Hint = (_, { clues }) =>
  clues.missingConfig === null
    ? null
    : `configPath ${clues.missingConfig} is not there; create it, correct the path, or write it in prepare.`

const unresolvedPackage: Hint = ({ mode, tsconfigPath }, { clues: { unresolved } }) => {
  if (unresolved === null) return null
  const { name, manifest, declared, byLoader, lost } = unresolved
  if (lost !== undefined)
    return `the paths of ${tsconfigPath} lead '${name}' to ${lost}, where nothing is; correct paths or baseUrl there.`
  if (mode === 'src' && byLoader)
    return declared
      ? `the config names '${name}', which ${manifest} declares, but it is not there; install, and build it if it is a package of this workspace.`
      : `the config names '${name}', which was not found; correct the name, or add it to the dependencies in ${manifest ?? 'a package.json'} and install.`
  if (mode === 'src' && declared)
    return `${manifest} declares '${name}', but it is not there; install (npm install), and build it if it is a package of this workspace.`
  if (mode === 'src')
    return `'${name}' was not found; name it in the paths of the tsconfig, or declare it in ${manifest ?? 'a package.json'} and install.`
  if (manifest === null)
    return `mode is 'lib': '${name}' must be declared by the package that owns the config, which has no package.json.`
  return declared
    ? `mode is 'lib' and ${manifest} declares '${name}', but it is not there; install, and build it if it is a package of this workspace.`
    : `mode is 'lib': the package that owns the config must declare what the config names; add '${name}' to the dependencies in ${manifest}.`
}

const unbuiltFile: Hint = (_, { clues: { unbuilt } }) =>
  unbuilt === undefined ? null : `${unbuilt.file} is missing; run \`${unbuilt.command}\` first.`

/** The words of esbuild, which `tsx` is built with. */
const commonJs: Hint = (_, { stdout, stderr }) =>
  [stderr, stdout].some(({ text }) => text.includes('Top-level await is currently not supported with the "cjs"'))
    ? 'a file with a top-level await is taken for CommonJS: set "type": "module" in the package.json of its package, or name it .mts.'
    : null

/** A key that is set where the smoke was called is looked for in vain by a bin that has a strict environment. */
const withheld: Hint = ({ env }, { stdout, stderr, envNames }) => {
  if (env.mode !== 'strict') return null
  const words = new Set(`${stderr.text} ${stdout.text}`.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g))
  const name = [...words].find((word) => env.inherited[word] !== undefined && !envNames.includes(word))
  return name === undefined
    ? null
    : `${name} is set in your environment, which envMode 'strict' keeps from the bin; give it a value in env, or name it in passEnv (where a smoke is declared) to hand yours over.`
}

const unsettledAwait: Hint = ({ expect }, { exitCode }) =>
  exitCode === 13 && expect.exitCode !== 13
    ? 'Node exits 13 when a top-level await never settles and nothing is left to wait for: something the bin awaits (often a plugin that never becomes ready) is never resolved.'
    : null

const deadline: Hint = ({ expect }, { timedOut, turns }) => {
  if (!timedOut) return null
  const allow = 'or allow more with processTimeoutMs.'
  const open = turns.find(({ state }) => state === 'unfinished')
  if (open !== undefined)
    return `turn ${open.turn} had begun and not ended: see what the agent waits for (its model, a tool), ${allow}`
  if (turns.length === 0 && expect.turn === 'required')
    return `no turn had begun: see what holds the boot (often a plugin that never becomes ready), ${allow}`
  return `find what keeps the bin alive (a timer, a server, a stream that is not closed), ${allow}`
}

const killed: Hint = ({ expect }, { signal, timedOut, overflowed, stopped }) =>
  signal === 'SIGKILL' && expect.signal !== 'SIGKILL' && !timedOut && overflowed === null && !stopped
    ? 'the harness did not send that signal: see whether the bin or a child of it did; the system does when memory runs out.'
    : null

const outputSize: Hint = (_, { overflowed }) =>
  overflowed === null ? null : `see what repeats in ${overflowed}, or allow more with maxOutputBytes.`

const tooLargeToSearch: Hint = ({ expect }, { stdout, stderr, files }) => {
  if ((stdout.truncated && expect.stdout.length > 0) || (stderr.truncated && expect.stderr.length > 0))
    return 'let the bin print less, or write what matters to a file of its own and expect that in files.'
  const asked = expect.files.filter(({ content }) => content !== null).map(({ path }) => path)
  return files.some(({ path, bytes, text }) => bytes > 0 && text === null && asked.includes(path))
    ? 'look at so large a file in inspect.'
    : null
}

// A bin that ended badly may not have come to its turn; then the end is what has to be looked at.
const noTurn: Hint = (spec, facts) =>
  spec.expect.turn === 'required' && facts.turns.length === 0 && endMet(spec, facts)
    ? "only a bin that calls runFixtureTurn of '@loader-smoke/turn' reports turns; call it, or set turn to 'optional'."
    : null

const survivors: Hint = (_, { survivors: left }) => {
  if (left.length === 0) return null
  const [was, it] = left.length === 1 ? ['was', 'it'] : ['were', 'them']
  const named = left.map(({ pid, command }) => `${pid} (${command})`).join(', ')
  return `${named} outlived the bin and ${was} ended; end ${it} in the bin before exiting.`
}

/** A level that the caller forced is the caller's choice. */
const containment: Hint = (spec, facts) => (spec.containment === null ? shortfallOf(facts.containment) : null)

const hints: readonly Hint[] = [
  missingConfig,
  unresolvedPackage,
  unbuiltFile,
  commonJs,
  withheld,
  unsettledAwait,
  deadline,
  killed,
  outputSize,
  tooLargeToSearch,
  noTurn,
  survivors,
  containment,
]
