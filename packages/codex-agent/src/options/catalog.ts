/** What the server knows of models and of the user's configuration. */
import type { Client } from '../connection/app-server.ts'
import type { Answer } from '../wire/messages.ts'
import { allPages } from '../wire/pages.ts'

/** A model of the catalogue. */
export type Model = NonNullable<NonNullable<Answer<'model/list'>['data']>[number]>
/** The effective configuration: what `config.toml` says, by its names there; `null` where it says nothing. */
export type Config = Readonly<Record<string, unknown>>

/** Models and configuration as they apply in `workspace`. */
export interface Catalog {
  readonly models: readonly Model[]
  readonly config: Config
}

/** Reads both. Hidden models are left out. */
export async function readCatalog(client: Client, workspace: string): Promise<Catalog> {
  const [models, { config }] = await Promise.all([
    allPages((cursor) => client.request('model/list', { cursor })),
    client.request('config/read', { cwd: workspace, includeLayers: false }),
  ])
  return {
    models: models.filter((model) => model?.hidden !== true && typeof model?.id === 'string'),
    config: config ?? {},
  }
}
