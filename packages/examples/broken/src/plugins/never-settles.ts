/** A plugin that waits for what never comes; with `alive` it keeps the process alive meanwhile. */
export const name = 'never-settles'

export async function apply(_ctx: unknown, config?: { readonly alive?: boolean }): Promise<void> {
  if (config?.alive) setInterval(() => {}, 60_000)
  await new Promise(() => {})
}
