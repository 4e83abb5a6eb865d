/** A plugin that can't start. */
export const name = 'throws'

export function apply(): void {
  throw new Error('the plugin has no licence to start')
}
