/**
 * Placeholders in a script's texts, filled from the request:
 * `{{user}}`, `{{firstUser}}`, `{{model}}`, `{{thread}}`, `{{toolResult}}` (text of the newest tool result),
 * `{{toolResult.a.0.b}}` (a value in it, read as JSON), `{{result.NAME}}` and `{{result.NAME.a.b}}` (newest result of the tool or
 * call id NAME, anywhere in the conversation). `\{{` writes two braces.
 */
import { type Ask, AskError, firstUser, lastUser, toolOf } from '../ask/ask.ts'

const PLACEHOLDER = /\\\{\{|\{\{([^{}]*)\}\}/g
const PLAIN = new Set(['user', 'firstUser', 'model', 'thread', 'toolResult'])

/** Every placeholder in `text` that does not exist, each as a sentence. */
export function placeholderProblems(text: string, at: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].flatMap(([whole, name]) => {
    if (name === undefined) return []
    const [root, ...path] = name.trim().split('.')
    const known =
      (PLAIN.has(root ?? '') && (path.length === 0 || root === 'toolResult')) || (root === 'result' && path.length > 0)
    return known
      ? []
      : [
          `${at} has the unknown placeholder ${whole}; allowed: {{user}}, {{firstUser}}, {{model}}, {{thread}}, {{toolResult}}, {{toolResult.path}}, {{result.TOOL}}, {{result.TOOL.path}}; \\{{ writes the braces.`,
        ]
  })
}

/**
 * `text` with its placeholders filled.
 * @throws AskError when the request does not hold the value
 */
export function fillPlaceholders(text: string, ask: Ask): string {
  if (!text.includes('{{')) return text
  return text.replaceAll(PLACEHOLDER, (whole, name: string | undefined) => {
    if (name === undefined) return '{{'
    const value = valueOf(name.trim(), ask)
    if (value === undefined) throw new AskError(`the script uses ${whole}, for which this request has no value.`)
    return value
  })
}

function valueOf(name: string, ask: Ask): string | undefined {
  const [root, ...path] = name.split('.')
  switch (root) {
    case 'user':
      return lastUser(ask)
    case 'firstUser':
      return firstUser(ask)
    case 'model':
      return ask.model
    case 'thread':
      return ask.thread
    case 'toolResult':
      return pick(newestResult(ask, undefined), path)
    case 'result':
      return pick(newestResult(ask, path[0]), path.slice(1))
    default:
      return undefined
  }
}

function newestResult(ask: Ask, tool: string | undefined): string | undefined {
  const found = ask.items.findLast(
    (item) =>
      item.type === 'result' && (tool === undefined || item.callId === tool || toolOf(ask, item.callId) === tool),
  )
  return found?.type === 'result' ? found.text : undefined
}

function pick(text: string | undefined, path: readonly string[]): string | undefined {
  if (text === undefined || path.length === 0) return text
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // A result that is not JSON has no values to pick; the caller says that the placeholder has none.
    return undefined
  }
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}
