/** What an MCP server asks through Codex: permission for a tool, a form, or a page to open. Pure. */
import type { ApprovalOption, Question, QuestionAnswer } from '@loader-smoke/agent-sdk'
import type { ServerRequests } from '../wire/generated/methods.ts'
import type { ServerRequestParams } from '../wire/messages.ts'
import type { ApprovalRequest } from './decision.ts'
import { fromSchema, toContent } from './form.ts'

type Params = ServerRequestParams<'mcpServer/elicitation/request'>
type Result = ServerRequests['mcpServer/elicitation/request']['result']

/** How an elicitation is put to the user; `invalid-url` and `unknown` are answered without asking. */
export type Elicitation =
  | { readonly kind: 'approval'; readonly approval: ApprovalRequest; toResult(optionId: string): Result }
  | {
      readonly kind: 'question'
      readonly question: Omit<Question, 'id'>
      toResult(answer: QuestionAnswer['answer']): Result
    }
  | { readonly kind: 'invalid-url' }
  | { readonly kind: 'unknown' }

/** What a stopped or refused elicitation answers. */
export const cancelElicitation: Result = { action: 'cancel', content: null, _meta: null }

/** Reads an elicitation. */
export function fromElicitation(params: Params): Elicitation {
  const { mode } = params
  const message = params.message ?? ''
  if (mode === 'url') return fromPage(params.url ?? '', message)
  if (mode !== 'form') return { kind: 'unknown' }
  const meta = typeof params._meta === 'object' && params._meta !== null ? params._meta : {}
  if ('codex_approval_kind' in meta && meta.codex_approval_kind === 'mcp_tool_call')
    return fromToolCall(message, 'persist' in meta ? meta.persist : null)
  const { requestedSchema } = params
  return {
    kind: 'question',
    question: { responseMode: 'elicitation', message, fields: fromSchema(requestedSchema) },
    toResult: ({ values, cancelled }) =>
      cancelled
        ? cancelElicitation
        : // The wire's type for content is any JSON; a form's values are.
          { action: 'accept', content: toContent(requestedSchema, values) as Result['content'], _meta: null },
  }
}

const persisted = { acceptForSession: 'session', acceptAlways: 'always' } as const

function fromToolCall(title: string, persist: unknown): Elicitation {
  const scopes = new Set(Array.isArray(persist) ? persist : [persist])
  const options: ApprovalOption[] = [{ id: 'accept', name: 'Allow once', kind: 'allow_once' }]
  if (scopes.has('session'))
    options.push({ id: 'acceptForSession', name: 'Allow for this session', kind: 'allow_always' })
  if (scopes.has('always')) options.push({ id: 'acceptAlways', name: 'Always allow', kind: 'allow_always' })
  options.push({ id: 'cancel', name: 'Cancel', kind: 'reject_once' })
  return {
    kind: 'approval',
    approval: { title, options },
    toResult(optionId) {
      if (!options.some(({ id }) => id === optionId) || optionId === 'cancel') return cancelElicitation
      const scope = optionId === 'acceptForSession' || optionId === 'acceptAlways' ? persisted[optionId] : null
      return { action: 'accept', content: {}, _meta: scope === null ? null : { persist: scope } }
    },
  }
}

function fromPage(url: string, message: string): Elicitation {
  const protocol = URL.canParse(url) ? new URL(url).protocol : ''
  if (protocol !== 'http:' && protocol !== 'https:') return { kind: 'invalid-url' }
  return {
    kind: 'question',
    question: { responseMode: 'elicitation', message, url, fields: [] },
    toResult: ({ cancelled }) => (cancelled ? cancelElicitation : { action: 'accept', content: null, _meta: null }),
  }
}
