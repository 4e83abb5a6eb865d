/** A small agent app for scratch workspaces: its agent answers at once, without a model, from what the app's own files say. */
import { json } from './scratch.ts'

/** Boots are appended here: beside the workspace, so that no cache key knows of it. */
const LOG = '../../../../runs.log'

/** The bin: `bin.ts <config> <task>`. Its answer shows what it read, so a replayed answer can be told from a fresh one. */
const bin = (name: string) => `
import { appendFileSync, readFileSync } from 'node:fs'
import { runFixtureTurn } from '@loader-smoke/turn'
import { greeting } from './greeting.ts'

const [config = '', task = ''] = process.argv.slice(2)
const mode = /[.]ts$/.test(import.meta.url) ? 'src' : 'lib'
appendFileSync(new URL('${LOG}', import.meta.url), '${name} ' + mode + '\\n')
if (process.env.FIXTURE_HANG) await new Promise(() => setInterval(() => {}, 1_000))
const code = Number(process.env.FIXTURE_EXIT ?? 0)
if (code !== 0) {
  console.error('the app says why it stops')
  process.exit(code)
}
const model = process.env.LOADER_SMOKE_MODEL_URL
const said = model === undefined ? '' : await ask(model)
const text = greeting + ' ' + readFileSync(config, 'utf8').trim() + ' ' + (process.env.WORD ?? '') + task + said
const session = { id: 's1' }
const listeners = new Set()
const emit = (type, data) => listeners.forEach((listener) => listener(session, { type, data }))
const agent = {
  session,
  whenIdle: async () => {},
  followup(message) {
    emit('agent/inbox/spliced', { inserted: [message] })
    const usage = { inputTokens: 1200, outputTokens: 34 }
    emit('assistant/message', { turn: 1, step: 1, message: { content: [{ type: 'text', text }] }, usage })
    emit('turn/end', { turn: 1, reason: { kind: 'completed' } })
  },
}
const envelope = await runFixtureTurn({
  get: () => ({ roots: () => [agent] }),
  on(name, listener) {
    if (name === 'session/event') listeners.add(listener)
    return () => listeners.delete(listener)
  },
  sessions: { flush() {} },
}, { task })
console.log(JSON.stringify(envelope))

async function ask(url) {
  const body = JSON.stringify({ model: 'scripted', messages: [{ role: 'user', content: task }] })
  const response = await fetch(url + '/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return ' ' + (await response.json()).choices[0].message.content
}
`

/** Compiles by taking the types' endings out: the sources above have no types. */
const build = `
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
mkdirSync('lib', { recursive: true })
for (const name of readdirSync('src')) writeFileSync('lib/' + name.replace(/ts$/, 'js'), readFileSync('src/' + name, 'utf8').replaceAll(".ts'", ".js'"))
`

/** The options of the app's target unless a test says otherwise. */
export const options = { bin: '{projectRoot}/src/bin.ts', config: '{projectRoot}/cordis.yml', task: 'Say hello.' }

/** A target of the app. */
export function smokeTarget(more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { executor: '@loader-smoke/nx:smoke', options: { ...options, ...more } }
}

/** The app as the project `name` in `packages/<name>`, with `targets` beside its build. */
export function app(
  name: string,
  targets: Readonly<Record<string, unknown>> = { smoke: smokeTarget() },
): Record<string, string> {
  const at = (file: string) => `packages/${name}/${file}`
  return {
    [at('package.json')]: json({
      name: `@scratch/${name}`,
      version: '1.0.0',
      private: true,
      type: 'module',
      dependencies: { '@loader-smoke/turn': '*' },
    }),
    [at('project.json')]: json({
      name,
      targets: {
        build: {
          executor: 'nx:run-commands',
          dependsOn: ['^build'],
          cache: true,
          outputs: ['{projectRoot}/lib'],
          inputs: ['{projectRoot}/src/**/*'],
          options: { command: 'node build.mjs', cwd: '{projectRoot}' },
        },
        ...targets,
      },
    }),
    [at('tsconfig.json')]: json({ extends: '../../tsconfig.base.json' }),
    [at('build.mjs')]: build,
    [at('cordis.yml')]: '# hello',
    [at('src/bin.ts')]: bin(name),
    [at('src/greeting.ts')]: "export const greeting = 'hello'\n",
  }
}
