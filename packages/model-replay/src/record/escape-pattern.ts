/** Texts as parts of regular expressions. `RegExp.escape` is not in Node 22. */

/** A pattern that matches exactly `text`. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}
