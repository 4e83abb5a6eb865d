/** Boots a shipped profile with a test's overlays. */
export { bootProfile } from './boot-profile.ts'
export type { ProfileOptions } from './options.ts'
export { ProfileError, type ProfileProblem, type ProfileStage } from './profile-error.ts'
