/** Boots a shipped profile, or a whole config, with a test's overlays. */
export { bootConfig } from './boot-config.ts'
export { bootProfile } from './boot-profile.ts'
export type { ConfigOptions, ProfileOptions } from './options.ts'
export { ProfileError, type ProfileProblem, type ProfileStage } from './profile-error.ts'
