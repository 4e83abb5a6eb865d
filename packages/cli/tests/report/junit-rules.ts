/**
 * What Jenkins takes for JUnit XML, as a check of a parsed document.
 * @see https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd (the facts below were read there)
 */
import { XMLParser, XMLValidator } from 'fast-xml-parser'

/** What may stand in an element and on it. */
interface Rule {
  readonly children: readonly string[]
  readonly required: readonly string[]
  readonly optional: readonly string[]
  readonly text?: true
}

const message: Rule = { children: [], required: [], optional: ['type', 'message'], text: true }
const text: Rule = { children: [], required: [], optional: [], text: true }
const rules: Readonly<Record<string, Rule>> = {
  testsuites: { children: ['testsuite'], required: [], optional: ['name', 'time', 'tests', 'failures', 'errors'] },
  testsuite: {
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
    required: ['name', 'tests', 'failures', 'errors'],
    optional: ['group', 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url'],
  },
  properties: { children: ['property'], required: [], optional: [] },
  property: { children: [], required: ['name', 'value'], optional: [] },
  testcase: {
    children: [
      'skipped',
      'error',
      'failure',
      'rerunFailure',
      'rerunError',
      'flakyFailure',
      'flakyError',
      'system-out',
      'system-err',
    ],
    required: ['name'],
    optional: ['time', 'classname', 'group'],
  },
  failure: message,
  error: message,
  skipped: message,
  'system-out': text,
  'system-err': text,
}
const TIME = /^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$/
/** @see https://www.w3.org/TR/xml/#charsets */
const NO_XML =
  // oxlint-disable-next-line no-control-regex -- the ones that XML allows
  /[^\u0009\u000a\u000d\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|&#(?:x0*[0-8bcef]|0*[0-8]|0*1[124-9]);/u

/** An element: its attributes, and its children in order. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Element[]
  readonly text: string
}

/** The root of the document. @throws Error naming the first rule that is broken. */
export function parseJunit(xml: string): Element {
  const bad = NO_XML.exec(xml)
  if (bad !== null) throw new Error(`a character that XML forbids at ${bad.index}: ${JSON.stringify(bad[0])}`)
  const valid = XMLValidator.validate(xml)
  if (valid !== true) throw new Error(`not well-formed: ${valid.err.msg} in line ${valid.err.line}`)
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    trimValues: false,
    parseTagValue: false,
    ignoreDeclaration: true,
  })
  const [root] = (parser.parse(xml) as Node[]).flatMap((node) => toElement(node) ?? [])
  if (root?.name !== 'testsuites') throw new Error(`the root is ${root?.name}`)
  check(root, '')
  return root
}

type Node = Readonly<Record<string, unknown>>

function toElement(node: Node): Element | null {
  const name = Object.keys(node).find((key) => key !== ':@')
  if (name === undefined || name === '#text') return null
  const content = node[name] as Node[]
  return {
    name,
    attributes: (node[':@'] ?? {}) as Record<string, string>,
    children: content.flatMap((child) => toElement(child) ?? []),
    text: content.map((child) => String(child['#text'] ?? '')).join(''),
  }
}

function check({ name, attributes, children, text }: Element, parent: string): void {
  const at = `${parent}/${name}`
  const rule = rules[name]
  if (rule === undefined) throw new Error(`${at} is no element of the format`)
  for (const required of rule.required) if (!(required in attributes)) throw new Error(`${at} has no ${required}`)
  const unknown = Object.keys(attributes).find((given) => ![...rule.required, ...rule.optional].includes(given))
  if (unknown !== undefined) throw new Error(`${at} may not have ${unknown}`)
  if (name.startsWith('testsuite') && !TIME.test(attributes['time'] ?? ''))
    throw new Error(`${at} has the time ${attributes['time']}`)
  if (!rule.text && text.trim() !== '') throw new Error(`${at} has text: ${text.trim()}`)
  for (const child of children) {
    if (!rule.children.includes(child.name)) throw new Error(`${at} may not hold ${child.name}`)
    check(child, at)
  }
}
