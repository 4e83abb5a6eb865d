/** A form that the agent holds until the user fills it in. */

/** `text` takes a string, `boolean` a boolean, `select` one value, `multi_select` an array of values. */
export type FieldKind = 'text' | 'boolean' | 'select' | 'multi_select'

/** One choice of a select field. */
export interface FieldOption {
  readonly value: string
  readonly label: string
  readonly description?: string
}

/** One field of a question. */
export interface Field {
  readonly id: string
  readonly label: string
  readonly description?: string
  readonly kind: FieldKind
  readonly required: boolean
  /** Whether a select also takes a free text. */
  readonly allowOther?: boolean
  /** Whether the value is a secret: not to be shown, stored or logged. */
  readonly secret?: boolean
  /** Only for the select kinds. */
  readonly options?: readonly FieldOption[]
}

/** What is asked. `tool`: a tool of the agent asks; `elicitation`: a server behind the agent asks. */
export interface Question {
  readonly id: string
  readonly responseMode: 'tool' | 'elicitation'
  readonly message?: string
  /** A page to open; http or https only. */
  readonly url?: string
  readonly fields: readonly Field[]
}

/** A value of one field. */
export type AnswerValue = string | boolean | readonly string[]

/** The user's answer; `cancelled` leaves `values` unread. */
export interface QuestionAnswer {
  readonly questionId: string
  readonly answer: { readonly values: Readonly<Record<string, AnswerValue>>; readonly cancelled: boolean }
}
