/** A patch of files. */
import type { ToolContent } from '@loader-smoke/agent-sdk'
import type { Item } from '../../wire/messages.ts'
import type { ConvertTool } from './convert.ts'

/** The changes as diffs. Of a new file the wire carries the whole text, of every other change a unified hunk. */
export function changesContent(changes: Item['changes']): readonly ToolContent[] {
  return (changes ?? []).map((change) => {
    const path = change?.path ?? ''
    const diff = change?.diff ?? ''
    return change?.kind?.type === 'add'
      ? { type: 'diff', path, oldText: '', newText: diff }
      : { type: 'diff', path, diff }
  })
}

/** Reads a `fileChange`. */
export const fromFileChange: ConvertTool = ({ changes }) => {
  const locations = (changes ?? []).flatMap((change) =>
    typeof change?.path === 'string' ? [{ path: change.path }] : [],
  )
  const [first] = locations
  return {
    kind: 'edit',
    title: locations.length === 1 && first !== undefined ? `Edit ${first.path}` : `Edit ${locations.length} files`,
    name: 'apply_patch',
    content: changesContent(changes),
    locations,
  }
}
