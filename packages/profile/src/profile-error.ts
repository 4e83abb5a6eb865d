/** The one error of this package: every problem found at one stage, each with what to do next. */

/** Where it went wrong, in the order of a boot. */
export type ProfileStage = 'options' | 'profile' | 'overlay' | 'patch' | 'boot' | 'import' | 'settle' | 'config'

/** One thing that is wrong. */
export interface ProfileProblem {
  /** What happened and what was expected, as a sentence. */
  readonly what: string
  /** What to do next, as a sentence. */
  readonly next: string
}

/** A profile that can't be booted as it is. `message` is derived from the fields. */
export class ProfileError extends Error {
  override readonly name = 'ProfileError'
  readonly binName: string
  readonly stage: ProfileStage
  /** Never empty. */
  readonly problems: readonly ProfileProblem[]

  constructor(binName: string, stage: ProfileStage, problems: readonly ProfileProblem[], cause?: unknown) {
    super(toMessage(binName, problems), cause === undefined ? undefined : { cause })
    this.binName = binName
    this.stage = stage
    this.problems = problems
  }
}

function toMessage(binName: string, problems: readonly ProfileProblem[]): string {
  return problems.map(({ what, next }) => `${binName}: ${what}\nNext: ${next}`).join('\n')
}
