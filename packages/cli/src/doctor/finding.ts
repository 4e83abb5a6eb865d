/** What the doctor says, and the one thing that it looks at before anything of the harness is loaded: an older Node can't load it. */

/** One thing that was looked at. */
export interface Finding {
  /** `note`: works, with a consequence worth knowing. */
  readonly state: 'good' | 'note' | 'wrong'
  readonly about: string
  readonly found: string
  /** What to do about it. */
  readonly next?: string
}

/** Whether a version of Node can run the rest. Pure. */
export function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const good = major >= 24 || (major === 22 && minor >= 18)
  if (good) return { state: 'good', about: 'Node', found: version }
  return {
    state: 'wrong',
    about: 'Node',
    found: `${version}, needed is 22.18 or newer, or 24 and newer`,
    next: 'install such a Node, or put it first in PATH.',
  }
}
