/** A change of one option. */
import type { AgentOption, OptionValues } from '@loader-smoke/agent-sdk'
import { isMode, modeChoices } from './modes.ts'
import { optionIds } from './list.ts'

/**
 * Checks a change before anything is sent: the server takes any name of a model or an effort, and says so only by failing the turn.
 * Throws with what was given and what is allowed. Another provider's models are in no catalogue, so any name of a model is.
 */
export function checkOption(optionId: string, value: string, options: readonly AgentOption[]): void {
  if (!optionIds.some((id) => id === optionId))
    throw new Error(`codex has no option ${quoted(optionId)} (expected one of: ${optionIds.join(', ')})`)
  if (value === '') throw new Error(`option ${optionId} is empty (expected a value)`)
  if (optionId === 'permission_mode' && !isMode(value))
    throw new Error(
      `option permission_mode is ${quoted(value)} (expected one of: ${modeChoices.map((choice) => choice.value).join(', ')})`,
    )
  const efforts = options.find(({ id }) => id === 'reasoning')?.choices ?? []
  if (optionId === 'reasoning' && efforts.length > 0 && !efforts.some((choice) => choice.value === value))
    throw new Error(
      `option reasoning is ${quoted(value)} (expected one of: ${efforts.map((choice) => choice.value).join(', ')})`,
    )
}

/** Takes the change over. An effort is chosen for a model, so another model drops it. */
export function applyOption(options: OptionValues, optionId: string, value: string): void {
  options[optionId] = value
  if (optionId === 'model') delete options['reasoning']
}

function quoted(value: string): string {
  return JSON.stringify(value)
}
