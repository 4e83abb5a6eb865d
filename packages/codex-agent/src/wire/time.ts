/** Times on the wire are unix seconds; the host's are ISO 8601. */

/** `seconds` since 1970 as ISO 8601; `undefined` when there are none. */
export function fromSeconds(seconds: number | bigint | null | undefined): string | undefined {
  return seconds === null || seconds === undefined ? undefined : new Date(Number(seconds) * 1000).toISOString()
}
