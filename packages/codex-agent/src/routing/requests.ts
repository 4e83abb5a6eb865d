/** Requests of the server: what waits for the user, and what the host answers by itself. Everything else is refused at once. */
import { randomUUID } from 'node:crypto'
import {
  type HostApi,
  type IncomingRequest,
  methodNotFound,
  type Question,
  type QuestionAnswer,
  type RequestId,
} from '@loader-smoke/agent-sdk'
import {
  type ApprovalRequest,
  cancelDecision,
  fromCommandApproval,
  fromFileApproval,
  toDecision,
} from '../approvals/decision.ts'
import { cancelElicitation, fromElicitation } from '../approvals/elicitation.ts'
import { type Held, withdrawHeld } from '../approvals/held.ts'
import { fromUserInput, toUserInput } from '../approvals/user-input.ts'
import { messageOf } from '../connection/errors.ts'
import { type Chats, isOver, type Place } from '../sessions/chats.ts'
import type { Strangers } from '../subagents/strangers.ts'
import type { ServerRequests } from '../wire/generated/methods.ts'
import type { Notification, ServerRequestParams } from '../wire/messages.ts'
import type { Handlers } from './table.ts'

/** Requests that wait for the user, by the host's ids. */
export type Approvals = Map<string, Held<string>>
/** Questions that wait for the user, by the host's ids. */
export type Questions = Map<string, Held<QuestionAnswer['answer']>>

/** What requests need. */
export interface RequestDeps {
  readonly agentId: string
  readonly host: HostApi
  readonly chats: Chats
  readonly approvals: Approvals
  readonly questions: Questions
  readonly strangers: Strangers
}

type Handle<Method extends keyof ServerRequests> = (
  deps: RequestDeps,
  place: Place,
  request: IncomingRequest,
  params: ServerRequestParams<Method>,
) => void

const handlers: { readonly [Method in keyof ServerRequests]: Handle<Method> } = {
  'item/commandExecution/requestApproval': (deps, place, request, params) =>
    ask(deps, place, request, params.turnId, fromCommandApproval(params), toDecision, cancelDecision),
  'item/fileChange/requestApproval': (deps, place, request, params) =>
    ask(
      deps,
      place,
      request,
      params.turnId,
      fromFileApproval(params, place.items.tools.get(params.itemId ?? '')),
      toDecision,
      cancelDecision,
    ),
  'item/tool/requestUserInput': (deps, place, request, params) =>
    inquire(
      deps,
      place,
      request,
      params.turnId,
      fromUserInput(params),
      ({ values, cancelled }) => toUserInput(cancelled ? {} : values),
      toUserInput({}),
    ),
  'mcpServer/elicitation/request': (deps, place, request, params) => {
    const elicitation = fromElicitation(params)
    const { turnId } = params
    if (elicitation.kind === 'approval')
      return ask(deps, place, request, turnId, elicitation.approval, elicitation.toResult, cancelElicitation)
    if (elicitation.kind === 'question')
      return inquire(deps, place, request, turnId, elicitation.question, elicitation.toResult, cancelElicitation)
    if (elicitation.kind === 'unknown') return refuse(request)
    request.reply(cancelElicitation)
    const message = 'Codex was asked to open an invalid external URL (expected http or https); it was refused.'
    deps.chats.tell(place, turnId, { event: 'notice', level: 'error', message })
  },
  'item/tool/call': ({ agentId, host }, place, request, params) => {
    const { tool, arguments: input, callId } = params
    void callTool(host, {
      agentId,
      sessionId: place.sessionId,
      name: tool ?? '',
      input,
      callId: callId ?? '',
    }).then((result) => request.reply(result))
  },
}

/** Takes a request of the server: answers it, holds it for the user, or refuses it. */
export function takeRequest(deps: RequestDeps, request: IncomingRequest): void {
  const { method } = request
  if (!Object.hasOwn(handlers, method)) return refuse(request)
  // As with notifications: the method gives the params their type, and every field is open.
  const handle = handlers[method as keyof ServerRequests] as Handle<keyof ServerRequests>
  const params = (request.params ?? {}) as Notification
  const { threadId } = params
  const place = typeof threadId === 'string' ? deps.chats.placeOf(threadId) : null
  if (place !== null) handle(deps, place, request, params)
  // A child may ask before the call that names it has completed.
  else if (typeof threadId === 'string' && deps.chats.anyRun())
    deps.strangers.hold(threadId, { kind: 'request', request })
  else refuse(request)
}

/** The server says that a request needs no answer any more; that it says so of our own answers too tells the host nothing. */
export function resolvedHandlers({
  chats,
  approvals,
  questions,
}: Pick<RequestDeps, 'chats' | 'approvals' | 'questions'>): Handlers {
  const resolved = (
    table: Approvals | Questions,
    event: 'approval_resolved' | 'question_resolved',
    requestId: RequestId,
  ) => {
    const held = withdrawHeld(table, requestId)
    if (held === null) return
    const place = chats.placeOf(held.threadId)
    if (place !== null) chats.tell(place, null, { event, id: held.id })
  }
  return {
    'serverRequest/resolved': ({ requestId }) => {
      if (requestId === null || requestId === undefined) return
      resolved(approvals, 'approval_resolved', requestId)
      resolved(questions, 'question_resolved', requestId)
    },
  }
}

/** Refuses a request that nobody here answers, so that the server doesn't wait. */
export function refuse(request: IncomingRequest): void {
  request.refuse(methodNotFound, `${request.method} is not answered here`)
}

function ask(
  { approvals, chats }: RequestDeps,
  place: Place,
  request: IncomingRequest,
  turnId: string | null | undefined,
  approval: ApprovalRequest,
  toResult: (optionId: string) => unknown,
  cancelled: unknown,
): void {
  if (isOver(place, turnId)) return request.reply(cancelled)
  const id = `codex-approval-${randomUUID()}`
  approvals.set(id, { request, threadId: threadOf(request), toResult, cancelled })
  chats.tell(place, turnId, { event: 'approval', id, ...approval })
}

function inquire(
  { questions, chats }: RequestDeps,
  place: Place,
  request: IncomingRequest,
  turnId: string | null | undefined,
  question: Omit<Question, 'id'>,
  toResult: (answer: QuestionAnswer['answer']) => unknown,
  cancelled: unknown,
): void {
  if (isOver(place, turnId)) return request.reply(cancelled)
  const id = `codex-question-${randomUUID()}`
  questions.set(id, { request, threadId: threadOf(request), toResult, cancelled })
  chats.tell(place, turnId, { event: 'question', id, ...question })
}

function threadOf({ params }: IncomingRequest): string {
  return typeof params === 'object' && params !== null && 'threadId' in params ? String(params.threadId) : ''
}

async function callTool(
  host: HostApi,
  call: Parameters<HostApi['tools']['call']>[0],
): Promise<ServerRequests['item/tool/call']['result']> {
  try {
    const { content } = await host.tools.call(call)
    return { contentItems: content.map(({ text }) => ({ type: 'inputText', text })), success: true }
  } catch (error) {
    // The model is told why its call did not work, and goes on.
    return { contentItems: [{ type: 'inputText', text: messageOf(error) }], success: false }
  }
}
