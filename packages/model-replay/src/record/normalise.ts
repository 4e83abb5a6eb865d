/** Replaces what differs from run to run in a request, so that the same question is known again. */
import { homedir, tmpdir } from 'node:os'
import { escapePattern } from './escape-pattern.ts'

const RULES: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b(Chunk ID: )\w+/g, '$1<id>'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, '<date>'],
  [
    /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? (?:\d{1,2} )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? (?:\d{1,2},? )?\d{4}/g,
    '<date>',
  ],
  [/\b\d{1,2}:\d\d:\d\d(?:\.\d+)?\b/g, '<time>'],
  [/\b1\d{9}(?:\d{3})?\b/g, '<time>'],
  [/\b\d+(?:\.\d+)? ?(?:ms|milliseconds?|seconds?|s)\b/g, '<duration>'],
  [/\b(127\.0\.0\.1|localhost):\d{2,5}\b/g, '$1:<port>'],
]

/** Makes the function that normalises texts. `volatile`: further patterns, each replaced by `<volatile>`. */
export function normaliser(volatile: readonly (string | RegExp)[]): (text: string) => string {
  const own = volatile.map((one) =>
    typeof one === 'string' ? one : new RegExp(one.source, `${one.flags.replace('g', '')}g`),
  )
  const paths = pathRules()
  return (text) => {
    let plain = text
    for (const one of own) plain = plain.replaceAll(one, '<volatile>')
    for (const [pattern, name] of [...paths, ...RULES]) plain = plain.replaceAll(pattern, name)
    return plain
  }
}

/** A folder of a temporary name, the working folder and the home folder; the rest of the path stays. */
function pathRules(): (readonly [RegExp, string])[] {
  const roots = [...new Set([tmpdir(), '/tmp', '/private/tmp', '/var/tmp'])].map((path) => escapePattern(path))
  const separator = String.raw`[/\\]`
  const name = String.raw`[^/\\\s"'<>]+`
  const rules: [RegExp, string][] = [
    [new RegExp(`(?:/private)?(?:${roots.join('|')})${separator}${name}`, 'g'), '<tmp>'],
  ]
  for (const [path, word] of [
    [process.cwd(), '<cwd>'],
    [homedir(), '<home>'],
  ] as const) {
    // A root folder as home or working folder is in every path.
    if (path.length > 3) rules.push([new RegExp(String.raw`(?<![\w.])${escapePattern(path)}(?![\w.-])`, 'g'), word])
  }
  return rules
}
