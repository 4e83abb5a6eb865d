/** The package that an import names. Pure. */

/** `@a/b` of `@a/b/c`, `a` of `a/b`. @param specifier of an import that is no path. */
export function packageNameOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
