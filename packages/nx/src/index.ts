/** `@loader-smoke/nx`: smokes as cached Nx tasks. Nx loads this file as the plugin. */
export { preTasksExecution } from './plugin/command-line.ts'
export { createNodes, type SmokePluginOptions } from './plugin/create-nodes.ts'

/** The plugin's name, as Nx reports it. */
export const name = '@loader-smoke/nx'
