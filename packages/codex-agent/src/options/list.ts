/** The options of a session: their choices from the catalogue, their values from the session, else from the configuration. Pure. */
import type { AgentOption, OptionChoice, OptionValues } from '@loader-smoke/agent-sdk'
import type { Catalog, Config, Model } from './catalog.ts'
import { customMode, modeChoices, modeOf } from './modes.ts'

/** The ids of the options. */
export const optionIds = ['model', 'reasoning', 'permission_mode'] as const

/** All options with what applies now. */
export function listOptions({ models, config }: Catalog, chosen: OptionValues): readonly AgentOption[] {
  const model =
    chosen['model'] ?? text(config['model']) ?? models.find(({ isDefault }) => isDefault === true)?.id ?? null
  const known = models.find(({ id }) => id === model)
  const mode = chosen['permission_mode'] ?? modeOf(config)
  return [
    { id: 'model', label: 'Model', value: model, choices: modelChoices(models, model) },
    {
      id: 'reasoning',
      label: 'Reasoning',
      value: chosen['reasoning'] ?? configuredEffort(config, chosen) ?? defaultEffort(known),
      choices: effortsOf(known),
    },
    {
      id: 'permission_mode',
      label: 'Permissions',
      value: mode,
      choices:
        mode === customMode
          ? [...modeChoices, { value: customMode, label: 'As configured', description: 'What config.toml says.' }]
          : modeChoices,
    },
  ]
}

/** A configured model is a choice although the catalogue, which is OpenAI's, doesn't have it: another provider's, or a hidden one. */
function modelChoices(models: readonly Model[], current: string | null): readonly OptionChoice[] {
  const choices = models.map(({ id, displayName, description }) => ({
    value: id ?? '',
    label: displayName ?? id ?? '',
    ...(description ? { description } : {}),
  }))
  if (current === null || choices.some(({ value }) => value === current)) return choices
  return [...choices, { value: current, label: current }]
}

function effortsOf(model: Model | undefined): readonly OptionChoice[] {
  return (model?.supportedReasoningEfforts ?? []).flatMap((effort) =>
    effort?.reasoningEffort
      ? [
          {
            value: effort.reasoningEffort,
            label: effort.reasoningEffort,
            ...(effort.description ? { description: effort.description } : {}),
          },
        ]
      : [],
  )
}

/** The configured effort is meant for the configured model. */
function configuredEffort(config: Config, chosen: OptionValues): string | null {
  return chosen['model'] === undefined ? text(config['model_reasoning_effort']) : null
}

function defaultEffort(model: Model | undefined): string | null {
  return model?.defaultReasoningEffort ?? effortsOf(model)[0]?.value ?? null
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
