/** Puts generated text between two markers of a file. Pure. */

/** `content` with `generated` between `<!-- name -->` and `<!-- /name -->`, each on its own line. @throws when a marker is missing. */
export function betweenMarkers(content: string, name: string, generated: string): string {
  const open = `<!-- ${name} -->`
  const close = `<!-- /${name} -->`
  const start = content.indexOf(open)
  const end = content.indexOf(close)
  if (start === -1 || end < start)
    throw new Error(`the file has no ${open} … ${close}.\nNext: put both markers where the table belongs.`)
  return `${content.slice(0, start + open.length)}\n\n${generated}\n\n${content.slice(end)}`
}
