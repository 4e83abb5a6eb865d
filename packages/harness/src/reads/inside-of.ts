/** Where a path lies. Pure. */

/** `path` relative to `folder` with forward slashes, or null when it isn't inside. Takes the separators of either platform. */
export function insideOf(folder: string, path: string): string | null {
  const base = slashed(folder).replace(/\/+$/, '')
  const whole = slashed(path)
  if (whole === base) return ''
  return whole.startsWith(`${base}/`) ? whole.slice(base.length + 1) : null
}

/** A path with forward slashes, as globs and cache keys have it. */
export function slashed(path: string): string {
  return path.replaceAll('\\', '/')
}
