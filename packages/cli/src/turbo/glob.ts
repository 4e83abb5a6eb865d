/** Patterns as turbo.json writes them. Pure. @see https://turborepo.dev/docs/reference/globs */

/** Whether an environment name matches one of `patterns`: `*` is any text, a leading `!` takes names away. */
export function matchesEnv(name: string, patterns: readonly string[]): boolean {
  return matchesAny(name, patterns, (pattern) => pattern.replace(/[\\^$.|?+()[\]{}]/g, '\\$&').replaceAll('*', '.*'))
}

/** Whether a path with forward slashes matches one of `patterns`: `**` is any folders, `*` any text of one part, a leading `!` takes paths away. */
export function matchesPath(path: string, patterns: readonly string[]): boolean {
  return matchesAny(path, patterns, (pattern) => pattern.replace(/\*\*\/|\*\*|[*?{},\\^$.|+()[\]]/g, toSource))
}

/** What a sign of a glob is in a regular expression; a comma outside of braces is rare enough to be taken for one inside. */
function toSource(sign: string): string {
  const known: Readonly<Record<string, string>> = {
    '**/': '(?:[^/]+/)*',
    '**': '.*',
    '*': '[^/]*',
    '?': '[^/]',
    '{': '(?:',
    '}': ')',
    ',': '|',
  }
  return known[sign] ?? `\\${sign}`
}

function matchesAny(text: string, patterns: readonly string[], toSource: (pattern: string) => string): boolean {
  const tests = (pattern: string) => new RegExp(`^${toSource(pattern)}$`).test(text)
  const taken = patterns.some((pattern) => pattern.startsWith('!') && tests(pattern.slice(1)))
  return !taken && patterns.some((pattern) => !pattern.startsWith('!') && tests(pattern))
}
