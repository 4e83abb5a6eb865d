/**
 * Imports a bare name from a place of one's choice, by Node's own resolution and through whatever loader is installed (tsx included).
 * Needed because the plugin loader's bare imports depend on an optional native addon: with it they start from the config's folder,
 * without it from the loader's own folder in `node_modules`. This way they are the same with and without it.
 * Can go when `import.meta.resolve` takes a parent without a flag, or when the loader resolves alike in both cases.
 * @see https://nodejs.org/api/module.html#moduleregisterhooksoptions
 */
import { registerHooks } from 'node:module'

const SCHEME = 'loader-smoke-from:'
let hooked = false

/** A bare name that no place has. */
export class NotFoundFrom extends Error {
  override readonly name = 'NotFoundFrom'
  readonly specifier: string
  /** URLs of the places looked from, in order. */
  readonly places: readonly string[]

  constructor(specifier: string, places: readonly string[], cause: unknown) {
    super(`Cannot find package '${specifier}' from ${places.join(' or ')}`, { cause })
    this.specifier = specifier
    this.places = places
  }
}

/**
 * Imports `specifier` as a module at the first of `places` (file URLs, at least one) that finds its package would.
 * @throws NotFoundFrom when none does; whatever Node throws when the package is found and can't be imported.
 */
export async function importFrom(specifier: string, places: readonly string[]): Promise<unknown> {
  if (!hooked) {
    hooked = true
    hook()
  }
  return await import(`${SCHEME}${encodeURIComponent(JSON.stringify({ specifier, places }))}`)
}

function hook(): void {
  registerHooks({
    resolve(request, context, next) {
      if (!request.startsWith(SCHEME)) return next(request, context)
      const { specifier, places } = JSON.parse(decodeURIComponent(request.slice(SCHEME.length))) as {
        specifier: string
        places: string[]
      }
      let first: unknown
      for (const parentURL of places) {
        try {
          return next(specifier, { ...context, parentURL })
        } catch (error) {
          if (!isMissingPackage(error)) throw error
          first ??= error
        }
      }
      throw new NotFoundFrom(specifier, places, first)
    },
  })
}

/** The package itself is not there; a package without the file it points at is another matter, and no other place can help. */
function isMissingPackage(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' &&
    error.message.startsWith('Cannot find package')
  )
}
