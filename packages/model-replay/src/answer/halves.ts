/** Cuts a tool call's input in two, so that clients have fragments to put together. */

/** The two halves of `text`, without empty ones; never cut within a surrogate pair. */
export function halves(text: string): string[] {
  let middle = Math.ceil(text.length / 2)
  const code = text.charCodeAt(middle - 1)
  if (code >= 0xd800 && code <= 0xdbff) middle++
  return [text.slice(0, middle), text.slice(middle)].filter((part) => part !== '')
}
