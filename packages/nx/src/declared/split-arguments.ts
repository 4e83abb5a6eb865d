/** Arguments that came as one text, as from `--args="--flag 'two words'"`. */

/** The words of `text` as a shell would split them: quotes group, a backslash keeps the next character (inside single quotes nothing is special). */
export function splitArguments(text: string): string[] {
  const words: string[] = []
  for (const [word] of text.matchAll(/(?:[^\s"'\\]|\\[\s\S]?|"(?:[^"\\]|\\[\s\S])*"?|'[^']*'?)+/g))
    words.push(unquote(word))
  return words
}

function unquote(word: string): string {
  return word.replace(/\\([\s\S]?)|"((?:[^"\\]|\\[\s\S])*)"?|'([^']*)'?/g, (_, escaped, double, single) =>
    double === undefined ? (single ?? escaped) : double.replace(/\\([\s\S])/g, '$1'),
  )
}
