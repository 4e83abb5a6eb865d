/**
 * Takes over how the trees of one context import plugins: bare names through `importFrom`, everything else as before; and keeps what failed,
 * because the loader logs an import error and goes on with an entry that has no plugin.
 * The loader offers no place for this, so the method of its tree class is wrapped, once, and only for contexts given here.
 */
import type { Context } from '@deepseek-ai/cordis'
import { EntryTree, Loader } from '@deepseek-ai/cordis-plugin-loader'
import { importFrom } from './import-from.ts'

/** A plugin that could not be imported. */
export interface ImportFailure {
  /** The name in the config. */
  readonly name: string
  readonly error: unknown
}

/** What a context's imports are told. */
interface Watch {
  /** Further places (file URLs) to look for a bare name from, after the config's own. */
  readonly placesOf: (name: string) => readonly string[]
  readonly failed: ImportFailure[]
}

const watches = new WeakMap<Context, Watch>()
let wrapped = false

/** Watches the imports of `ctx`, a root context with a loader, and returns the list that failures are added to. */
export function watchImports(ctx: Context, placesOf: Watch['placesOf']): readonly ImportFailure[] {
  const failed: ImportFailure[] = []
  watches.set(ctx.root, { placesOf, failed })
  if (!wrapped) {
    wrapped = true
    wrap()
  }
  return failed
}

/** Whether the loader of `ctx` is of the copy that is wrapped here: an installation with two copies boots with another one. */
export function isSameLoader(ctx: Context): boolean {
  return ctx.loader instanceof Loader
}

/** Whether the loader looks a name up as that of a package. */
export function isBare(name: string): boolean {
  return !/^\.|^\/|^[a-z][a-z\d+.-]*:/i.test(name)
}

function wrap(): void {
  const original = EntryTree.prototype.import
  EntryTree.prototype.import = function (this: EntryTree, name: string, getOuterStack?: () => string[]) {
    const watch = watches.get(this.ctx.root)
    if (watch === undefined) return original.call(this, name, getOuterStack)
    const loading: unknown = isBare(name)
      ? importFrom(name, [String(this.ctx.baseUrl), ...watch.placesOf(name)])
      : original.call(this, name, getOuterStack)
    if (!(loading instanceof Promise)) return loading
    return loading.catch((error: unknown) => {
      watch.failed.push({ name, error })
      throw error
    })
  }
}
