/** The files of a small agent app that a smoke can boot: what a user would write, and no more. Pure. */

/** What the files are made for. */
export interface NewApp {
  /** Of the program, for messages. */
  readonly name: string
  /** Paths relative to the project, with forward slashes. */
  readonly bin: string
  readonly config: string
}

/** Path relative to the project → content. */
export function appFiles({ name, bin, config }: NewApp): Record<string, string> {
  return {
    [bin]: binSource(name),
    [config]: CONFIG,
    [beside(config, 'base.yml')]: BASE,
    [beside(config, 'model-script.yml')]: MODEL_SCRIPT,
  }
}

function beside(path: string, name: string): string {
  return path.includes('/') ? `${path.slice(0, path.lastIndexOf('/'))}/${name}` : name
}

function binSource(name: string): string {
  return `/** The app's entry point: boots a config, gives its one agent one task, and prints the answer as a line of JSON. */
import { boot, installFailLoud, resolveConfigPath } from '@deepseek-ai/dsh-app-boot'
import { reportBootWarnings, runFixtureTurn } from '@loader-smoke/turn'

const NAME = ${JSON.stringify(name)}

async function main(config: string, task: string): Promise<void> {
  const ctx = await boot(NAME, resolveConfigPath(config, undefined), [], reportBootWarnings)
  try {
    const envelope = await runFixtureTurn(ctx, { task })
    process.stdout.write(\`\${JSON.stringify(envelope)}\\n\`)
  } finally {
    await ctx.fiber.dispose()
  }
}

const [config, task] = process.argv.slice(2)
if (config === undefined || task === undefined) {
  process.stderr.write(\`usage: \${NAME} <config> <task>\\n\`)
  process.exitCode = 64
} else {
  installFailLoud(NAME)
  try {
    await main(config, task)
  } catch (error) {
    process.stderr.write(\`\${error instanceof Error ? error.message : String(error)}\\n\`)
    process.exitCode = 1
  }
}
`
}

const BASE = `# The app as it ships.
- id: llm
  name: '@deepseek-ai/dsh-llm'
- id: llm-deepseek
  name: '@deepseek-ai/dsh-llm-deepseek'
- id: system-prompt
  name: '@deepseek-ai/dsh-system-prompt'
- id: sessions
  name: '@deepseek-ai/dsh-session'
- id: tools
  name: '@deepseek-ai/dsh-tools'
- id: agents
  name: '@deepseek-ai/dsh-agent'
- id: agent-loop
  name: '@deepseek-ai/dsh-agent-loop'
  config:
    agents:
      - id: main
        provider: deepseek-official
        model: deepseek-v4-flash
        cwd: !!js process.cwd()
`

const CONFIG = `# What the smoke boots: the app of base.yml, with a model server on loopback that answers from a script. No key, no network.
- id: model-replay
  name: '@loader-smoke/model-replay/cordis'
  config:
    script: ./model-script.yml
- id: app
  name: cordis:include
  config:
    path: ./base.yml
    patches:
      - id: llm-deepseek
        name: '@deepseek-ai/dsh-llm-deepseek'
        inject: [modelReplay]
        config:
          baseURL: !!js modelReplay.url
          thinking: disabled
`

const MODEL_SCRIPT = `# What the model says, in order, and what each request to it must look like.
turns:
  - expect:
      user: hello
    text: Hello from the script.
    usage: { inputTokens: 12, outputTokens: 4 }
`
