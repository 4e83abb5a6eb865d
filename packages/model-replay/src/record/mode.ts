/** Whether a recording is played, made or brought up to date. */

/**
 * replay: answers come from the file, and nothing else is asked. record: every answer comes from the provider, and the file is written anew.
 * update: what the file knows comes from it, the rest from the provider; what nobody asked for any more is dropped.
 */
export type ReplayMode = 'replay' | 'record' | 'update'

export const REPLAY_ENV = 'LOADER_SMOKE_REPLAY'
const MODES: readonly string[] = ['replay', 'record', 'update'] satisfies ReplayMode[]

/**
 * `given`, else what LOADER_SMOKE_REPLAY says, else replay.
 * @throws TypeError for another word, and for record and update where CI is set: a run there must not change what it is measured by
 */
export function resolveReplayMode(given: ReplayMode | undefined, env: NodeJS.ProcessEnv): ReplayMode {
  const said = given ?? env[REPLAY_ENV] ?? ''
  const mode = said === '' ? 'replay' : said
  const name = given === undefined ? REPLAY_ENV : 'mode'
  if (!MODES.includes(mode))
    throw new TypeError(`model-replay: ${name} must be 'replay', 'record' or 'update', got ${JSON.stringify(said)}.`)
  if (mode !== 'replay' && !['', '0', 'false'].includes(env['CI'] ?? ''))
    throw new TypeError(
      `model-replay: ${name} is '${mode}', but CI is set; recordings are only played there.\nNext: record on your own machine and commit the file.`,
    )
  return mode as ReplayMode
}

/** What makes or renews a recording, for messages: the variable does where no `given` mode is over it. */
export function recordingBy(how: 'record' | 'update', given: ReplayMode | undefined): string {
  return `model-replay ${how}${given === undefined ? `, or ${REPLAY_ENV}=${how}` : ''}`
}
