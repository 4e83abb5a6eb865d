/** `@loader-smoke/harness/config`: smokes that are declared in a file, for whoever reads such files; light to import. */
export { checkValues } from './check.ts'
export { checkDeclared } from './check-declared.ts'
export { type DeclaredModel, type FixtureModel, modelFile, toFixtureModel, unusableModel } from './declared-model.ts'
export { checkSmokeFile, type DeclaredFixture, type SmokeFile } from './check-smoke-file.ts'
export {
  type FixtureOverrides,
  type FixturePlace,
  type FixtureRun,
  nearestTsconfig,
  toFixtureRun,
} from './fixture-options.ts'
export { EXAMPLE_MODE_ENV } from './mode.ts'
export { nearest, suggestion } from './nearest.ts'
export { notAllowed, OptionError } from './option-error.ts'
export {
  defineSmokeConfig,
  type FixtureOptions,
  fixtureRows,
  ownNames,
  type SmokeConfig,
  type SmokeFixture,
} from './smoke-config.ts'
export { type ConfigWalk, configsFrom, wordsIn } from '../reads/config-walk.ts'
export { type FileView, fileView, type Question, watched } from '../reads/file-view.ts'
export { insideOf, slashed } from '../reads/inside-of.ts'
export { packageNameOf } from '../reads/package-name.ts'
export { mapped, packageLinks, type PathMap, seenFrom, sourcesFrom, type Walk } from '../reads/source-walk.ts'
export { type ParseJson, tsconfigChain } from '../reads/tsconfig-chain.ts'
export { findSmokeFile, loadSmokeFile, SMOKE_FILE_NAMES } from './smoke-file.ts'
export { nameOf, withNearestTsconfig, writtenAs, type WrittenName, type WrittenNames } from './written-names.ts'
