/** The smaller kinds: web search, pictures, waiting. */
import type { ConvertTool } from './convert.ts'

/** Reads a `webSearch`, which may also open a page. */
export const fromWebSearch: ConvertTool = (item) => {
  const url = item.action?.url
  return typeof url === 'string'
    ? { kind: 'fetch', title: url, name: 'web_search', input: { url } }
    : { kind: 'search', title: item.query ?? '', name: 'web_search', input: { query: item.query ?? '' } }
}

/** Reads an `imageView`. */
export const fromImageView: ConvertTool = (item) => ({
  kind: 'read',
  title: item.path ?? '',
  name: 'view_image',
  ...(typeof item.path === 'string' ? { locations: [{ path: item.path }] } : {}),
})

/** Reads an `imageGeneration`. */
export const fromImageGeneration: ConvertTool = () => ({
  kind: 'other',
  title: 'Generate an image',
  name: 'image_generation',
})

/** Reads a `sleep`. */
export const fromSleep: ConvertTool = () => ({ kind: 'other', title: 'Wait', name: 'sleep' })
