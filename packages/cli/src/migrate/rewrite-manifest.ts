/** Rewrites the entries of one package.json. Pure. */
import { HARNESS } from './names.ts'

/** What to rewrite with. */
export interface ManifestRewrite {
  readonly from: string
  /** The range for the new dependency, such as `^0.1.0`. */
  readonly range: string
  /** The old entry stays beside the new one, because something still imports it. */
  readonly keepsOld: boolean
}

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

type Json = Readonly<Record<string, unknown>>

/**
 * The text with the new dependency in the place of the old one, and without what package managers were told about the old one's peers.
 * Indentation, line ends and the order of keys stay. The same text when there was nothing to do.
 * @throws SyntaxError for text that is no JSON.
 */
export function rewriteManifest(text: string, rewrite: ManifestRewrite): string {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const before = JSON.parse(text.slice(bom.length)) as Json
  const after = withoutOverrides(withDependency(before, rewrite), rewrite)
  if (JSON.stringify(after) === JSON.stringify(before)) return text
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  '
  const body = JSON.stringify(after, null, indent) + (text.endsWith('\n') ? '\n' : '')
  return bom + (text.includes('\r\n') ? body.replaceAll('\n', '\r\n') : body)
}

function withDependency(manifest: Json, rewrite: ManifestRewrite): Json {
  return mapEntries(manifest, (key, value) => [
    [key, SECTIONS.includes(key) && isObject(value) ? withReplaced(value, rewrite) : value],
  ])
}

function withReplaced(section: Json, { from, range, keepsOld }: ManifestRewrite): Json {
  if (!Object.hasOwn(section, from)) return section
  const names = Object.keys(section)
  const next = mapEntries(section, (key, value) => {
    if (key !== from) return [[key, value]]
    return [
      ...(keepsOld ? [[key, value] as const] : []),
      ...(names.includes(HARNESS) ? [] : [[HARNESS, range] as const]),
    ]
  })
  return isSorted(names) ? Object.fromEntries(Object.entries(next).toSorted(([a], [b]) => (a < b ? -1 : 1))) : next
}

/** The old package needed its peers forced to one version: npm's `overrides`, yarn's `resolutions`, pnpm's `pnpm.overrides`. */
function withoutOverrides(manifest: Json, rewrite: ManifestRewrite): Json {
  if (rewrite.keepsOld) return manifest
  return mapEntries(manifest, (key, value) => {
    if (key === 'pnpm' && isObject(value)) return [[key, withoutOverrides(value, rewrite)]]
    if ((key !== 'overrides' && key !== 'resolutions') || !isObject(value)) return [[key, value]]
    const rest = mapEntries(value, (name, version) => (isOf(name, rewrite.from) ? [] : [[name, version]]))
    return Object.keys(rest).length === 0 && Object.keys(value).length > 0 ? [] : [[key, rest]]
  })
}

/** `name`, `name@range`, `name>peer` and `name/peer` are rules about `name`. */
function isOf(rule: string, name: string): boolean {
  return rule === name || ['@', '>', '/'].some((sign) => rule.startsWith(`${name}${sign}`))
}

function mapEntries(object: Json, map: (key: string, value: unknown) => readonly (readonly [string, unknown])[]): Json {
  return Object.fromEntries(Object.entries(object).flatMap(([key, value]) => map(key, value)))
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSorted(names: readonly string[]): boolean {
  return names.every((name, index) => index === 0 || (names[index - 1] ?? '') <= name)
}
