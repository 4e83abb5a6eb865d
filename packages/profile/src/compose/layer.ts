/** A list of patches with the place it comes from. */
import type { PatchOptions } from '@deepseek-ai/cordis-plugin-include'

/** One layer of a profile, in the order of application. */
export interface Layer {
  /** How messages name it: `bundle <package>`, `the user layer <file>` or `overlay <file>`. */
  readonly label: string
  readonly kind: 'bundle' | 'user' | 'overlay'
  /** Absolute path of the patch file. */
  readonly file: string
  readonly patches: readonly PatchOptions[]
}
