/** Takes out of an inherited `NODE_OPTIONS` what would make plain Node run source instead of built output. Pure. */

/** The condition under which this project's own packages resolve to their TypeScript source. */
const SOURCE_CONDITION = '@loader-smoke/source'
const CONDITION_FLAGS = ['--conditions', '-C']
const PRELOAD_FLAGS = ['--import', '--loader', '--experimental-loader', '--require', '-r']
const TSX = /(?:^|[/\\])tsx(?:$|[/\\])/

/** `nodeOptions` without the source condition and without tsx; everything else stays as it is written. */
export function withoutSourceFlags(nodeOptions: string): string {
  // Node splits at spaces; double quotes hold a value together, and a backslash inside them keeps the next character.
  const tokens = nodeOptions.match(/(?:"(?:\\.|[^"\\])*"|[^\s"])+/g) ?? []
  const kept: string[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as string
    const [flag = '', attached] = splitFlag(unquote(token))
    const value = attached ?? unquote(tokens[at + 1] ?? '')
    if (!leadsToSource(flag, value)) kept.push(token)
    else if (attached === undefined) at++
  }
  return kept.join(' ')
}

function leadsToSource(flag: string, value: string): boolean {
  return (
    (CONDITION_FLAGS.includes(flag) && value === SOURCE_CONDITION) || (PRELOAD_FLAGS.includes(flag) && TSX.test(value))
  )
}

function splitFlag(token: string): [flag: string, attached?: string] {
  const at = token.indexOf('=')
  return at === -1 ? [token] : [token.slice(0, at), token.slice(at + 1)]
}

function unquote(token: string): string {
  return token.replace(/"((?:\\.|[^"\\])*)"/g, (_, quoted: string) => quoted.replace(/\\(.)/g, '$1'))
}
