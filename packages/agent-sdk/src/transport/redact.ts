/** Takes out of a text what looks like a secret, before the text becomes part of a message. */

const patterns: readonly (readonly [RegExp, string])[] = [
  [/\bBearer\s+[\w.~+/=-]+/gi, 'Bearer [redacted]'],
  [/\b(?:sk|sess|pk|rk|ghp|gho|ghs|npm|xox[abp])[-_][\w-]{8,}/g, '[redacted]'],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g, '[redacted]'],
  [/\b(\w*(?:api[_-]?key|token|secret|password)\w*["']?\s*[=:]\s*["']?)[^\s"',]+/gi, '$1[redacted]'],
  [/(\/\/)[^/\s:@]+:[^/\s@]+@/g, '$1[redacted]@'],
]

/** `text` with keys, tokens, passwords and credentials in URLs replaced by `[redacted]`. */
export function redact(text: string): string {
  return patterns.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text)
}
