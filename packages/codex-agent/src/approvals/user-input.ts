/** Questions that a tool of the model asks. Pure. */
import type { AnswerValue, Field, Question } from '@loader-smoke/agent-sdk'
import type { ServerRequests } from '../wire/generated/methods.ts'
import type { ServerRequestParams } from '../wire/messages.ts'

type Answer = ServerRequests['item/tool/requestUserInput']['result']
type Asked = NonNullable<NonNullable<ServerRequestParams<'item/tool/requestUserInput'>['questions']>[number]>

/** The questions as one form. */
export function fromUserInput({ questions }: ServerRequestParams<'item/tool/requestUserInput'>): Omit<Question, 'id'> {
  return { responseMode: 'tool', fields: (questions ?? []).flatMap((asked) => (asked ? [field(asked)] : [])) }
}

/** The form's values as the wire's answer map; `{}` answers nothing. */
export function toUserInput(values: Readonly<Record<string, AnswerValue>>): Answer {
  const answers = Object.entries(values).map(([id, value]) => [id, { answers: texts(value) }] as const)
  return { answers: Object.fromEntries(answers) }
}

function field({ id, header, question, options, isOther, isSecret }: Asked): Field {
  return {
    id: id ?? '',
    label: header || question || '',
    ...(header && question ? { description: question } : {}),
    kind: options ? 'select' : 'text',
    allowOther: isOther === true,
    required: true,
    ...(isSecret === true ? { secret: true } : {}),
    ...(options
      ? {
          options: options.map((option) => ({
            value: option?.label ?? '',
            label: option?.label ?? '',
            ...(option?.description ? { description: option.description } : {}),
          })),
        }
      : {}),
  }
}

function texts(value: AnswerValue): string[] {
  return typeof value === 'object' ? [...value] : [String(value)]
}
