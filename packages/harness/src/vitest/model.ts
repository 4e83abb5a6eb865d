/** The model server of a declared smoke, from the user's own installation: the harness itself depends on no model server. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FixtureModel } from '../config/declared-model.ts'
import { OptionError } from '../config/option-error.ts'
import type { SmokeService } from '../config/services.ts'

const PACKAGE = '@loader-smoke/model-replay'

/** Node takes `conditions` since 24; an older one resolves the package by its `default`. */
const IMPORT = { conditions: new Set(['node', 'import', 'default']) } as Parameters<NodeJS.RequireResolve>[1]

/**
 * The service that answers as `model` says.
 * @throws OptionError when the package that serves it is not installed where `folder` sees it.
 */
export async function modelFrom(model: FixtureModel, folder: string): Promise<SmokeService> {
  let file: string
  try {
    file = createRequire(join(folder, 'package.json')).resolve(PACKAGE, IMPORT)
  } catch (cause) {
    throw new OptionError(
      'model',
      `model needs ${PACKAGE}, which is not found from ${folder}.\nNext: npm install --save-dev ${PACKAGE}`,
      cause,
    )
  }
  const { modelService } = (await import(pathToFileURL(file).href)) as {
    modelService(options: FixtureModel): SmokeService
  }
  return modelService(model)
}
